import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { makeSpreadsheet } from './google-sheets.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

/** Replies with an error, by default without a message, as a proxy would. */
const fails = (page: Page, url: string, answer: { status?: number; json?: unknown } = {}) =>
  page.route(url, (route) => route.fulfill({ status: 400, json: {}, ...answer }))

/** Waits for a message and closes it to make room for the next one. */
async function expectMessage(page: Page, message: string): Promise<void> {
  const toast = page.locator('.toast').filter({ has: page.getByText(message, { exact: true }) })
  await expect(toast.first(), message).toBeVisible()
  await toast.evaluateAll((all) => {
    for (const one of all) one.querySelector<HTMLElement>('[aria-label="Close message"]')?.click()
  })
}

const List = z.looseObject({ syncTasks: z.array(z.looseObject({ id: z.number() })) })

/** Shows this task as running; the event stream is blocked, so no update corrects it. */
async function showRunning(page: Page, id: number): Promise<void> {
  await fails(page, '**/api/events')
  await page.route('**/api/sync_tasks?*', async (route) => {
    const list = List.parse(await (await route.fetch()).json())
    const syncTasks = list.syncTasks.map((task) =>
      task.id === id ? { ...task, task_status: 'Running', running_status: true } : task,
    )
    await route.fulfill({ json: { ...list, syncTasks } })
  })
}

const chooseForAll = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Actions for all tasks' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test.use({ reducedMotion: 'reduce' })
test.beforeEach(async ({ page }) => signIn(page))

test('load failures are shown: running status, task types, presets, compiler configs', async ({ page }, {
  testId,
}) => {
  const task = await addTask(page, await addType(page, `Loads ${testId}`), 'Not loaded', small)
  for (const url of [
    '**/api/sync_task_types',
    '**/api/sync_presets',
    '**/api/compiler/configs?*',
    '**/api/sync_tasks/status_all',
  ])
    await fails(page, url)
  await showRunning(page, task.id)
  await page.goto('/sync_tasks')
  await expectMessage(page, 'Failed to fetch running status.')
  await page.getByRole('button', { name: 'Add task' }).click()
  await expectMessage(page, 'Failed to fetch task types.')
  await expectMessage(page, 'Failed to fetch sync presets.')
  await page.getByRole('dialog').getByText('Internal DB').click()
  await expectMessage(page, 'Failed to fetch compiler configs.')
})

test('load failures are shown: a sync task, its columns and its data, with the error field of the server first', async ({
  page,
}, { testId }) => {
  const task = await addTask(page, await addType(page, `Pages ${testId}`), 'Not loaded', small)
  const again = () => page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await fails(page, `**/api/sync_tasks/${task.id}`)
  await page.goto(`/sync_tasks/${task.id}`)
  await expectMessage(page, 'Failed to fetch sync task. Please try again later.')
  await expect(page.getByRole('main').getByText('Sync task not found.')).toBeVisible()

  const columns = '**/data_copy/columns'
  await fails(page, columns)
  await fails(page, '**/data_copy?*')
  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  await expectMessage(page, 'Failed to load default columns.')
  await fails(page, columns, { json: { error: 'The columns are gone.', message: 'Another text.' } })
  await again()
  await expectMessage(page, 'The columns are gone.')
  await page.route(columns, async (route) => {
    const names = { available_columns: ['SKU'], default_selected_columns: ['SKU'] }
    const none = z.looseObject({}).parse(await (await route.fetch()).json())
    await route.fulfill({ json: { ...none, ...names, total: 1 } })
  })
  await again()
  await expectMessage(page, 'Failed to load data.')
  await fails(page, '**/data_copy?*', { json: { error: 'The data are gone.', message: 'Another text.' } })
  await again()
  await expectMessage(page, 'The data are gone.')
  await expect(page.getByRole('main').getByText('The data are gone.')).toBeVisible()
})

test('a failed later page of the copied data shows the error field of the reply rather than its message', async ({
  page,
}, { testId }) => {
  test.slow()
  const rows = Array.from({ length: 1200 }, (_, n) => [n])
  const task = await addTask(page, await addType(page, `Pages ${testId}`), `Pages ${testId}`, [
    ['N'],
    ...rows,
  ])
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Success')
  await fails(page, '**/data_copy?*offset=1000*', {
    json: { error: 'That page is gone.', message: 'Another text.' },
  })
  await page.goto(`/sync_tasks/${task.id}/data_copy`)
  await page.getByRole('table').evaluate((one) => {
    one.scrollTop = one.scrollHeight
  })
  await expect(page.getByRole('main').getByText('That page is gone.')).toBeVisible()
  await expect(page.getByText('Another text.')).toHaveCount(0)
})

test("a failed add shows the server's message or a default one; a taken name, pair or target has its own message", async ({
  page,
}, { testId }) => {
  test.slow()
  const type = `Adds ${testId}`
  const task = await addTask(page, await addType(page, type), 'Taken', small)
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const field = (name: string) => dialog.getByRole('combobox', { name })
  const add = dialog.getByRole('button', { name: 'Add task' })
  const problem = dialog.getByRole('alert')
  await field('Task type').fill(type)
  await page.getByRole('listbox').getByRole('option', { name: type }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Taken')
  await field('Source spreadsheet').fill(task.source_ss_id)
  await field('Target spreadsheet').fill(task.target_ss_id)
  await field('Target sheet name').fill('Data')

  const answers: [json: unknown, message: string][] = [
    [{}, 'Failed to add sync task'],
    ['The server is full.', 'The server is full.'],
    [{ message: 'No room for it.' }, 'No room for it.'],
    [{ error: 'No time for it.' }, 'No time for it.'],
  ]
  for (const [json, words] of answers) {
    await fails(page, '**/api/sync_tasks', { json })
    await add.click()
    await expect(problem).toHaveText(words)
    await page.unroute('**/api/sync_tasks')
  }
  await add.click()
  await expect(problem).toHaveText(
    'A task with this name already exists for this task type. Please use a different name.',
  )
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Not taken')
  await add.click()
  await expect(problem).toHaveText('A task with these source and target spreadsheet IDs already exists.')
  await field('Source spreadsheet').fill(await makeSpreadsheet(`Another source ${testId}`, small))
  await add.click()
  await expect(problem).toContainText(
    'This task conflicts with an existing task. Please check the values and try again.',
  )
  await field('Target sheet name').fill('Not taken')
  await add.click()
  await expectMessage(page, 'Sync Task Added Successfully')

  await fails(page, '**/api/sync_tasks/*')
  await page.getByRole('button', { name: 'More actions for Not taken' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Failed to update sync task')
})

test('each failed action on tasks has its own message', async ({ page }, { testId }) => {
  test.slow()
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
  const type = `Refused ${testId}`
  const id = await addType(page, type)
  const busy = await addTask(page, id, 'Busy', small)
  await addTask(page, id, 'Idle', small)
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 400, json: {} }),
  )
  await showRunning(page, busy.id)
  await fails(page, '**/status_all', { status: 200, json: { all_running_status: false, tasks: [] } })
  await page.goto('/sync_tasks')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const choose = async (name: string) => {
    await press('More actions for Idle')
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

  await expect(page.getByRole('article', { name: 'Busy' }).getByText('In Progress')).toBeVisible()
  await press('Stop All')
  await confirm('Stop All')
  await expectMessage(page, 'Failed to stop tasks')
  await press(`Stop Group ${type}`)
  await expectMessage(page, 'Failed to stop group')
  await press(`Run Group ${type}`)
  await expectMessage(page, 'Failed to run group')
  await choose('Run')
  await expectMessage(page, 'Error executing sync task')
  await choose('Move up')
  await expectMessage(page, 'Error repositioning task')
  await page.getByRole('switch', { name: 'Idle is active' }).click()
  await expectMessage(page, 'Error updating task status')
  await press('Stop Busy')
  await expectMessage(page, 'Failed to stop task')
  await press('Run All')
  await expectMessage(page, 'Error executing all tasks')
  await chooseForAll(page, 'Toggle All active')
  await confirm('Deactivate All')
  await expectMessage(page, 'Failed to toggle active status for all tasks')
  await chooseForAll(page, 'Reset running status')
  await expectMessage(page, 'Failed to reset task statuses')
  await fails(page, '**/reset_running_status', { status: 200, json: { reset_count: 3, message: 'Reset' } })
  await chooseForAll(page, 'Reset running status')
  await expectMessage(page, '3 task statuses have been reset successfully.')

  await page.unroute('**/api/sync_tasks?*')
  await page.reload()
  await chooseForAll(page, 'Delete All')
  await confirm('Delete All')
  await expectMessage(page, 'Failed to delete all tasks')
})

test('a toast stays for 3 s, an error for 8 s, and one about a CSV file for 16 s', async ({ page }) => {
  await page.clock.install()
  await page.goto('/settings')
  const times = page.getByRole('region', { name: 'Run All: sync tasks' })
  const save = times.getByRole('button', { name: 'Save' })
  const fill = (time: string) => times.getByRole('textbox', { name: 'Times' }).fill(`${time},`)
  /** The page's clock advances only when moved, so a slow machine does not shorten the toast. */
  const stays = async (button: Locator, message: string, ms: number) => {
    const toast = page.getByText(message, { exact: true })
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
    await button.click()
    await expect(async () => {
      await page.clock.runFor(20)
      await expect(toast).toBeVisible({ timeout: 100 })
    }).toPass()
    await page.clock.runFor(ms - 500)
    await expect(toast).toBeVisible()
    await page.clock.runFor(1000)
    await expect(toast).toHaveCount(0)
    await page.clock.resume()
  }
  await fill('03:33')
  await stays(save, 'Schedule saved successfully', 3000)
  await fails(page, '**/schedule_run_all')
  await fill('03:34')
  await stays(save, 'Failed to save schedule', 8000)
  await page.goto('/import_export')
  await fails(page, '**/api/sync_tasks/export')
  const exporting = page.getByRole('button', { name: 'Export CSV' })
  await stays(exporting, 'Failed to export sync tasks. Please try again.', 16_000)
})
