import type { Page } from '@playwright/test'
import { z } from 'zod'
import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'

const Added = z.object({ id: z.number() })

// delete the tasks of other tests, which actions on all tasks would affect
test.beforeEach(async ({ page }) => {
  await signIn(page)
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
})

/** Adds tasks whose spreadsheets do not exist, so that their runs fail immediately. */
async function addTasks(page: Page, type: number, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await send(page, 'POST', '/api/sync_tasks', {
      sync_task_type_id: type,
      name,
      source_ss_id: `source-of-${type}-${index}-${name.replaceAll(' ', '-')}`,
      target_ss_id: `target-of-${type}-${index}-${name.replaceAll(' ', '-')}`,
      target_sheet_name: 'Data',
    })
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name} ${n + 1}`)

const namesOf = async (page: Page, which: (task: z.infer<typeof Listed>) => boolean) =>
  List.parse(await send(page, 'GET', '/api/sync_tasks'))
    .syncTasks.filter(which)
    .map(({ name }) => name)
const Listed = z.object({
  name: z.string(),
  is_active: z.boolean(),
  last_triggered: z.nullable(z.object({ triggered_by: z.string() })),
})
const List = z.object({ syncTasks: z.array(Listed) })

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for the tasks shown' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('under a filter, bulk actions apply to the listed tasks only, and say so', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Filtered ${testId}`, { max_retries: 0, allowed_concurrent_tasks: 5 })
  await addTasks(page, type, [...numbered('Wanted', 3), ...numbered('Other', 2)])
  await page.goto('/sync_tasks?q=wanted')
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(page.getByRole('button', { name: /^(Run|Stop) All$/ })).toHaveCount(0)

  await test.step('stop reports that there is nothing to stop', async () => {
    await page.getByRole('button', { name: 'Stop these 3', exact: true }).click()
    await expect(page.getByText('No running or queued tasks to stop')).toBeVisible()
  })
  await test.step('activate and deactivate', async () => {
    await choose(page, 'Deactivate these 3')
    const dialog = page.getByRole('dialog', { name: 'Deactivate these 3 tasks?' })
    await expect(dialog).toContainText('Tasks hidden by filters are not changed.')
    await dialog.getByRole('button', { name: 'Deactivate these 3' }).click()
    await expect(page.getByText('Deactivated 3 tasks.')).toBeVisible()
    expect(await namesOf(page, ({ is_active }) => is_active)).toEqual(numbered('Other', 2))
    await choose(page, 'Activate these 3')
    await page.getByRole('dialog').getByRole('button', { name: 'Activate these 3' }).click()
    await expect(page.getByText('Activated 3 tasks.', { exact: true })).toBeVisible()
  })
  await test.step('run', async () => {
    await page.getByRole('button', { name: 'Run these 3', exact: true }).click()
    await expect(page.getByText('Queued 3 tasks.')).toBeVisible()
    await expect(page.getByRole('article').getByText('Failed', { exact: true })).toHaveCount(3)
    expect(await namesOf(page, ({ last_triggered }) => last_triggered !== null)).toEqual(
      numbered('Wanted', 3),
    )
  })
  await test.step('the failures of all tasks are shown, not only those of the search', async () => {
    await page.goto('/sync_tasks?q=other')
    await expect(page.getByText('Some tasks ended with an error in the last run.')).toBeVisible()
    await page.getByRole('link', { name: 'Show them' }).click()
    await expect(page.getByRole('article')).toHaveCount(3)
  })
  await test.step('delete', async () => {
    await choose(page, 'Delete these 3')
    const dialog = page.getByRole('dialog', { name: 'Delete these 3 tasks?' })
    await expect(dialog).toContainText('Tasks hidden by filters are not deleted.')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Delete these 3' }).click()
    await expect(page.getByText('Deleting 3 tasks in ten seconds.')).toBeVisible()
    await expect(page.getByText('No task matches these filters')).toBeVisible({ timeout: 30_000 })
    expect(await namesOf(page, () => true)).toEqual(numbered('Other', 2))
  })
  await test.step('without listed tasks nothing is done', async () => {
    const run = page.getByRole('button', { name: 'Run these 0' })
    await expect(run).toBeDisabled()
    await expect(run).toHaveAccessibleDescription('No task matches the filters')
  })
})

test('a run of more than 20 tasks asks for confirmation with their number and quota use', async ({ page }, {
  testId,
}) => {
  const type = await addType(page, `Many ${testId}`, { max_retries: 0, allowed_concurrent_tasks: 5 })
  await addTasks(page, type, numbered('Many', 21))
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Run All', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Run 21 tasks?' })
  await expect(dialog).toContainText('21 tasks start as soon as slots are free.')
  await expect(dialog).toContainText(
    'None of these tasks has run yet, so the Google quota they need is unknown.',
  )
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: `Run Group Many ${testId}` }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto('/sync_tasks?q=many')
  await page.getByRole('button', { name: 'Run these 21', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Run these 21 tasks?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  expect(await namesOf(page, ({ last_triggered }) => last_triggered !== null)).toEqual([])

  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Run All', exact: true }).click()
  await dialog.getByRole('button', { name: 'Run All' }).click()
  await expect(page.getByText('Queued 21 tasks.')).toBeVisible()
  await page.route('**/api/tasks/quota_time', (route) =>
    route.fulfill({ json: { startable: 21, reads: 120, writes: 60, seconds: 122, guessed: 1 } }),
  )
  await send(page, 'POST', '/api/sync_tasks/stop_all')
  await expect(page.getByRole('article').getByText(/^(Queued|In Progress|Stopping)$/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Run All', exact: true }).click()
  await expect(dialog).toContainText(
    'about 180 requests to Google: at least 2 minutes of its quota. 1 of them has never run',
  )
})

test('Run All Tasks of source tasks asks for confirmation, too, and applies to the listed tasks under a filter', async ({
  page,
}, { testId }) => {
  const ids: number[] = []
  for (const name of numbered(`Asked ${testId}`, 21))
    ids.push(
      Added.parse(
        await send(page, 'POST', '/api/source_tasks', {
          name,
          source_type: 'sheet',
          spreadsheet_id: `origin-of-${name.replaceAll(' ', '-')}`,
          sheet_name: 'Data',
          is_active: false,
        }),
      ).id,
    )
  await send(page, 'POST', '/api/tasks/bulk', { action: 'activate', ids })
  await page.goto(`/source_tasks?q=${encodeURIComponent(`Asked ${testId}`)}`)
  const foot = page.getByRole('region', { name: 'Tasks shown' })
  await foot.getByRole('button', { name: 'Run these 21', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Run these 21 tasks?' })
  await expect(dialog).toContainText('21 tasks start as soon as slots are free.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/source_tasks')
  await page.getByRole('region', { name: 'All tasks' }).getByRole('button', { name: 'Run All Tasks' }).click()
  await page
    .getByRole('dialog', { name: /^Run \d+ tasks\?$/ })
    .getByRole('button', { name: 'Cancel' })
    .click()

  await page.goto(`/source_tasks?q=${encodeURIComponent(`Asked ${testId}`)}`)
  await foot.getByRole('button', { name: 'More actions for the tasks shown' }).click()
  await page.getByRole('menuitem', { name: 'Delete these 21' }).click()
  await page
    .getByRole('dialog', { name: 'Delete these 21 tasks?' })
    .getByRole('button', { name: 'Delete these 21' })
    .click()
  await expect(page.getByText('Deleting 21 tasks in ten seconds.')).toBeVisible()
})
