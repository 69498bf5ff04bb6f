import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const Added = z.object({ id: z.number() })
const List = z.object({
  syncTasks: z.array(
    z.object({
      name: z.string(),
      is_active: z.boolean(),
      sync_task_type_id: z.number(),
      scheduled_times: z.array(z.string()),
    }),
  ),
})

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
})

/** Adds tasks whose spreadsheets do not exist. */
async function addTasks(page: Page, type: number, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const [index, name] of names.entries()) {
    const body = {
      sync_task_type_id: type,
      name,
      source_ss_id: `source-of-${type}-${index}-selected`,
      target_ss_id: `target-of-${type}-${index}-selected`,
      target_sheet_name: 'Data',
    }
    ids.push(Added.parse(await send(page, 'POST', '/api/sync_tasks', body)).id)
  }
  return ids
}

const listed = async (page: Page) => List.parse(await send(page, 'GET', '/api/sync_tasks')).syncTasks
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected tasks' })
const act = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click()
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).click()
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n + 1}`)

test('a selection survives filters and other people’s changes; each change of it can be undone', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `First ${testId}`)
  const other = await addType(page, `Second ${testId}`)
  const [, second] = await addTasks(page, type, numbered('Wanted', 4))
  await addTasks(page, other, ['Other'])
  await page.goto('/sync_tasks')

  await test.step('with Shift, a range is selected', async () => {
    await box(page, 'Wanted 1').click()
    await box(page, 'Wanted 3').click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText('3 tasks selected')
    await expect(box(page, 'Wanted 2')).toBeChecked()
    await expect(box(page, 'Wanted 4')).not.toBeChecked()
  })
  await test.step('all that match are selected', async () => {
    await page.getByRole('searchbox').fill('wanted')
    await act(page, 'Select all 4 that match')
    await expect(bar(page)).toContainText('4 tasks selected')
    await page.getByRole('searchbox').fill('other')
    await expect(bar(page)).toContainText('4 tasks selected, 4 hidden by filters')
    await page.getByRole('searchbox').fill('')
  })
  await test.step('a change by another page keeps the selection', async () => {
    await send(page, 'PUT', `/api/sync_tasks/${second}`, { start_row: 2 })
    await expect(bar(page)).toContainText('4 tasks selected')
  })
  await test.step('deactivate and undo', async () => {
    await act(page, 'Deactivate')
    await expect(page.getByText('Deactivated 4 tasks.')).toBeVisible()
    expect((await listed(page)).filter(({ is_active }) => is_active).map(({ name }) => name)).toEqual([
      'Other',
    ])
    await undo(page)
    await expect(page.getByText('Restored 4 tasks.')).toBeVisible()
    expect((await listed(page)).every(({ is_active }) => is_active)).toBe(true)
  })
  await test.step('of two changes, a key undoes the last one only', async () => {
    const active = async () => (await listed(page)).filter(({ is_active }) => is_active).length
    await act(page, 'Deactivate')
    await expect.poll(active).toBe(1)
    await act(page, 'Activate')
    await expect(page.getByText('Activated 4 tasks.', { exact: true })).toBeVisible()
    const undone: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/undo')) undone.push(request.url())
    })
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(active).toBe(1)
    expect(undone).toHaveLength(1)
    await act(page, 'Activate')
    await expect.poll(active).toBe(5)
  })
  await test.step('change the type, undo with the keyboard', async () => {
    await act(page, 'Change type')
    const dialog = page.getByRole('dialog', { name: 'Change the type of 4 tasks' })
    await dialog.getByRole('combobox').or(dialog.getByLabel('Task type')).first().click()
    await page
      .getByRole('listbox', { name: 'Task type' })
      .getByRole('option', { name: `Second ${testId}` })
      .click()
    await dialog.getByRole('button', { name: 'Change type' }).click()
    await expect(page.getByText('Changed the type of 4 tasks.')).toBeVisible()
    expect((await listed(page)).every(({ sync_task_type_id }) => sync_task_type_id === other)).toBe(true)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(page.getByText('Restored 4 tasks.').last()).toBeVisible()
    await expect
      .poll(async () => (await listed(page)).filter((task) => task.sync_task_type_id === type).length)
      .toBe(4)
  })
  await test.step('change the schedule', async () => {
    await act(page, 'Change schedule')
    const dialog = page.getByRole('dialog', { name: 'Change the schedule of 4 tasks' })
    await dialog.getByLabel('Scheduled times').fill('05:15,')
    await dialog.getByRole('button', { name: 'Change schedule' }).click()
    await expect(page.getByText('Changed the schedule of 4 tasks.')).toBeVisible()
    const times = (await listed(page)).filter(({ name }) => name !== 'Other')
    expect(times.map(({ scheduled_times }) => scheduled_times)).toEqual(times.map(() => ['05:15']))
  })
  await test.step('change the account', async () => {
    await act(page, 'Change account')
    const dialog = page.getByRole('dialog', { name: 'Change the account of 4 tasks' })
    await dialog.getByRole('checkbox', { name: 'Run these tasks with my Google account' }).check()
    await dialog.getByRole('button', { name: 'Change account' }).click()
    await expect(page.getByText('No account was changed. Skipped 4 (nothing to change).')).toBeVisible()
  })
  await test.step('export the selected tasks', async () => {
    const download = page.waitForEvent('download')
    await act(page, 'Export')
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(numbered('Wanted', 4))
  })
  await test.step('Escape clears the selection', async () => {
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
    await expect(box(page, 'Wanted 1')).not.toBeChecked()
  })
})

test('a deletion can be undone; without that it is carried out, and names what is used by then', async ({
  page,
  browser,
}, { testId }) => {
  test.slow()
  const addSource = async (name: string, origin?: number) => {
    const reads =
      origin === undefined
        ? {
            source_type: 'sheet',
            spreadsheet_id: `origin-of-${name.replaceAll(' ', '-')}`,
            sheet_name: 'Data',
          }
        : { source_type: 'internal', source_identifier: `task-${origin}` }
    return Added.parse(await send(page, 'POST', '/api/source_tasks', { name, ...reads })).id
  }
  await addSource(`${testId} idle`)
  const used = await addSource(`${testId} used`)
  await page.goto(`/source_tasks?q=${testId}`)
  const remove = async () => {
    await act(page, 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete 2 tasks?' })
    await expect(dialog).toContainText('You can undo this for ten seconds.')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  }
  await page.getByRole('checkbox', { name: 'Select all 2 that match' }).check()
  await expect(bar(page).getByRole('button', { name: 'Change schedule' })).toHaveAccessibleDescription(
    'Source tasks run on the schedule of their type',
  )
  await remove()
  await expect(page.getByText('Deleting 2 tasks in ten seconds.')).toBeVisible()
  const leaving = page.getByRole('article').filter({ hasText: 'Will be deleted' })
  await expect(leaving).toHaveCount(2)
  // Another user sees it, too, and cannot undo it; another page of the same user can.
  const bob = await browser.newPage({ baseURL: new URL(page.url()).origin })
  await bob.goto(
    `/auth/login?login_hint=bob@example.com&return_to=${encodeURIComponent(`/source_tasks?q=${testId}`)}`,
  )
  const seen = bob.getByRole('article').filter({ hasText: 'Will be deleted by ada@example.com' })
  await expect(seen).toHaveCount(2)
  await expect(seen.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  await undo(page)
  await expect(seen).toHaveCount(0)
  await bob.close()
  await expect(page.getByText('Restored 2 tasks.')).toBeVisible()
  await expect(leaving).toHaveCount(0)
  await remove()
  await leaving.getByRole('button', { name: `Undo: keep ${testId} used` }).press('Enter')
  await expect(leaving).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(2)
  await remove()
  await expect(page.getByText('Deleting 2 tasks in ten seconds.').last()).toBeVisible()
  await addSource('Reader', used)
  await expect(page.getByText(/^Deleted 1 task. Refused 1: .* used: Rows of this are used/)).toBeVisible({
    timeout: 40_000,
  })
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('tasks are selected with the keyboard alone', async ({ page }, { testId }) => {
  await addTasks(page, await addType(page, `Keys ${testId}`), numbered('Key', 3))
  await page.goto('/sync_tasks')
  const first = page.getByRole('article', { name: 'Key 1' })
  await first.getByRole('heading').getByRole('link').focus()
  await page.keyboard.press('Space')
  await expect(box(page, 'Key 1')).toBeChecked()
  await page.getByRole('article', { name: 'Key 3' }).getByRole('heading').getByRole('link').focus()
  await page.keyboard.press('Shift+Space')
  await expect(bar(page)).toContainText('3 tasks selected')
  await box(page, 'Key 2').focus()
  await page.keyboard.press('Space')
  await expect(bar(page)).toContainText('2 tasks selected')
  await expect(page.getByRole('checkbox', { name: `Select 3 tasks of Keys ${testId}` })).toHaveJSProperty(
    'indeterminate',
    true,
  )
})
