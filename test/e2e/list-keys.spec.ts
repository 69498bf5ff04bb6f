import type { Page } from '@playwright/test'
import { z } from 'zod'
import { runs } from '../../src/contract/runs/calls.ts'
import { aSourceTask } from '../fixtures/factories.ts'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { openList, send } from './as-ada.ts'

const MAX_TAB_STOPS = 12
const Added = z.object({ id: z.number() })

const row = (page: Page, name: string) => page.getByRole('article', { name })
const link = (page: Page, name: string) => row(page, name).getByRole('heading').getByRole('link')

async function twoTasks(page: Page, type: string): Promise<number> {
  const id = await addType(page, type)
  const first = await addTask(page, id, `${type} one`, [['SKU']])
  await addTask(page, id, `${type} two`, [['SKU']])
  await page.goto(`/sync_tasks?type=${id}`)
  await expect(row(page, `${type} two`)).toBeVisible()
  return first.id
}

const runsOf = async (page: Page, id: number) =>
  runs.ofSyncTask.reply.parse(await send(page, 'GET', `/api/sync_tasks/${id}/runs`)).runs.length

test.beforeEach(async ({ page }) => openList(page))

test('j and k move from row to row, Space selects, e edits, Enter opens', async ({ page }) => {
  const id = await twoTasks(page, 'Walked')
  await page.keyboard.press('j')
  await expect(link(page, 'Walked one')).toBeFocused()
  await page.keyboard.press('j')
  await expect(link(page, 'Walked two')).toBeFocused()
  await page.keyboard.press('j')
  await expect(link(page, 'Walked two')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Select Walked two' })).toBeChecked()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Select Walked two' })).not.toBeChecked()
  await page.keyboard.press('k')
  await expect(link(page, 'Walked one')).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Edit Sync Task' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(link(page, 'Walked one')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/sync_tasks/${id}`)
})

test('r asks before it runs the focused task; Escape runs nothing', async ({ page }) => {
  const id = await twoTasks(page, 'Asked')
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(link(page, 'Asked one')).toBeFocused()
  const question = page.getByRole('dialog', { name: 'Run Asked one (Data) now?' })
  await page.keyboard.press('r')
  await expect(question.getByRole('button', { name: 'Run' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(link(page, 'Asked one')).toBeFocused()
  expect(await runsOf(page, id)).toBe(0)
  await page.keyboard.press('r')
  await expect(question.getByRole('button', { name: 'Run' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Asked one is queued')).toBeVisible()
  expect(await runsOf(page, id)).toBe(1)
})

test('the same keys work on the list of configurations', async ({ page, db }) => {
  const source = await aSourceTask(db, { name: 'Keys source' })
  const body = { name: 'Keys config', source_task_ids: [source.id], master_source_id: source.id }
  const { id } = Added.parse(await send(page, 'POST', '/api/compiler/configs', body))
  await page.goto('/compiler?q=Keys')
  const config = page.getByRole('link', { name: 'Keys config', exact: true })
  await expect(config).toBeVisible()
  await page.keyboard.press('j')
  await expect(config).toBeFocused()
  await page.keyboard.press('r')
  const question = page.getByRole('dialog', { name: 'Run Keys config now?' })
  await expect(question.getByRole('button', { name: 'Run' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(config).toBeFocused()
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Edit Configuration' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/compiler/${id}`)
  await send(page, 'DELETE', `/api/compiler/configs/${id}`)
  await send(page, 'DELETE', `/api/source_tasks/${source.id}`)
})

test('arrows move inside a row, which is one Tab stop', async ({ page }) => {
  await twoTasks(page, 'Inside')
  await page.keyboard.press('j')
  await expect(link(page, 'Inside one')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(link(page, 'Inside one')).not.toBeFocused()
  await expect(row(page, 'Inside one').locator(':focus')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(link(page, 'Inside one')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(link(page, 'Inside two')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(link(page, 'Inside one')).toBeFocused()
})

for (const path of ['/sync_tasks', '/source_tasks'])
  test(`at most ${MAX_TAB_STOPS} Tab stops lead to the first row of ${path}`, async ({ page }) => {
    if (path === '/sync_tasks') await twoTasks(page, 'Counted')
    else
      await send(page, 'POST', '/api/source_tasks', {
        name: 'Counted source',
        source_type: 'sheet',
        spreadsheet_id: 'a-spreadsheet-that-is-not-there',
        sheet_name: 'Data',
      })
    await page.goto(path)
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    let stops = 0
    const isInRow = () => page.evaluate(() => document.activeElement?.closest('article') !== null)
    do {
      await page.keyboard.press('Tab')
      stops += 1
    } while (stops <= MAX_TAB_STOPS && !(await isInRow()))
    expect(stops).toBeLessThanOrEqual(MAX_TAB_STOPS)
  })

test('single keys can be switched off in the list of shortcuts; they never work in fields, Ctrl K always does', async ({
  page,
}) => {
  await twoTasks(page, 'Switched')
  await page.getByRole('searchbox', { name: 'Search tasks' }).press('j')
  await expect(page.getByRole('searchbox', { name: 'Search tasks' })).toHaveValue('j')
  await page.getByRole('searchbox', { name: 'Search tasks' }).press('Escape')
  await link(page, 'Switched one').focus()
  await page.keyboard.press('Control+j')
  await expect(link(page, 'Switched one')).toBeFocused()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys.getByText('Run the task, after a question')).toBeVisible()
  const single = keys.getByRole('switch', { name: 'Single-key shortcuts' })
  await single.press('Space')
  await expect(single).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.reload()
  await expect(row(page, 'Switched one')).toBeVisible()
  for (const key of ['j', 'n', '/', '?']) await page.keyboard.press(key)
  await link(page, 'Switched one').focus()
  for (const key of ['j', 'r', 'e']) await page.keyboard.press(key)
  await expect(link(page, 'Switched one')).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Search tasks, types' })).toBeFocused()
  await page.keyboard.type('single-key')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await link(page, 'Switched one').focus()
  await page.keyboard.press('j')
  await expect(link(page, 'Switched two')).toBeFocused()
})
