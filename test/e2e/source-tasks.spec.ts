import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { addSourceType, addSourceTask as addTask } from './add-source-task.ts'
import { expect, test } from './app-test.ts'
import { signIn } from './as-ada.ts'
import { goTo, pickUp } from './by-keyboard.ts'
import { makeSpreadsheet } from './google-sheets.ts'

const rowOf = (page: Page, name: string) => page.getByRole('article', { name })

test.beforeEach(async ({ page }) => signIn(page))

test('a new user adds a task on a sheet, runs it, views its rows and exports them', async ({ page }, {
  testId,
}) => {
  const name = `First ${testId}`
  await addSourceType(page, name)
  await makeSpreadsheet(`${name} sheet`, [
    ['Prices of 2026', ''],
    ['SKU', 'Price'],
    ['007', 1.5],
    ['008', 2],
  ])
  await page.goto('/')
  await page.getByRole('link', { name: 'Source Tasks', exact: true }).click()
  await page.getByRole('button', { name: 'Add Source Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Source Task' })
  await dialog.getByRole('button', { name: 'Add Source Task' }).click()
  for (const text of ['Name is required', 'Type is required', 'Source Type is required'])
    await expect(dialog.getByText(text, { exact: true })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('combobox', { name: 'Type', exact: true }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(dialog.getByRole('textbox', { name: 'Chunk Size' })).toHaveValue('1000')
  await dialog.getByRole('combobox', { name: 'Source Type' }).click()
  await page
    .getByRole('listbox', { name: 'Source Type' })
    .getByRole('option', { name: 'Google Sheet' })
    .click()
  await dialog.getByRole('combobox', { name: 'Source spreadsheet' }).fill(`${name} sheet`)
  await page.getByRole('option', { name: `${name} sheet` }).click()
  await dialog.getByRole('combobox', { name: 'Source sheet name' }).fill('Data')
  await dialog.getByRole('textbox', { name: 'Start row' }).fill('2')
  await expect(dialog).toContainText('Runs will use your Google account.')
  await dialog.getByRole('button', { name: 'Add Source Task' }).click()
  await expect(page.getByText('Source task created')).toBeVisible()

  const row = rowOf(page, name)
  await expect(row).toContainText('No data yet')
  await expect(row).toContainText('Master')
  await row.getByRole('button', { name: `Run ${name}` }).click()
  await expect(row.getByText('Completed')).toBeVisible()
  await row.getByRole('button', { name: `View Data of ${name}` }).click()
  const data = page.getByRole('dialog', { name: `View Data Copy: ${name}` })
  await expect(data.getByRole('cell', { name: '007' })).toBeVisible()
  await expect(data.getByRole('status')).toHaveText('Rows 1–2 of 2')
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: `More actions for ${name}` }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export Data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^source_task_\d+_data_copy\.csv$/)
  expect((await readFile(await file.path())).toString()).toMatch(/SKU,Price\r?\n007,1\.5\r?\n008,2/)

  await row.getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.getByRole('region', { name: 'State' })).toContainText('Read 2 rows of 2 columns')
  await page.getByRole('link', { name: '2 rows' }).click()
  await expect(page.getByRole('cell', { name: '008' })).toBeVisible()
})

test('tasks are reordered within their section by keyboard, and the server stores the order', async ({
  page,
}, { testId }) => {
  const type = await addSourceType(page, `Order ${testId}`)
  for (const name of ['one', 'two', 'three']) await addTask(page, type, `${name} ${testId}`)
  await page.goto('/source_tasks')
  const mode = page.getByRole('switch', { name: 'Reorder mode' })
  await goTo(page, mode)
  await page.keyboard.press('Space')
  const table = page.getByRole('table', { name: `Order of Order ${testId}` })
  const handle = page.getByRole('button', { name: `Move three ${testId}` })
  await goTo(page, handle)
  await pickUp(page, handle, /three .* is picked up, number 3 of 3\./)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText(/three .* is number 2 of 3 now\./)).toBeAttached()
  await page.keyboard.press('Space')
  await expect(page.getByText('Reordered 3 tasks')).toBeVisible()
  await page.reload()
  await mode.click()
  await expect(table.getByRole('rowheader')).toHaveText([/one/, /three/, /two/])
})

test('without rows View Data shows a message and closes; a log is refreshed and cleared; auto-refresh is stored', async ({
  page,
}, { testId }) => {
  const name = `Empty ${testId}`
  const id = await addTask(page, null, name)
  // a completed run whose rows no longer exist; the event stream would send the real state
  await page.route('**/api/events*', (route) => route.abort())
  for (const path of ['**/api/source_tasks', '**/api/source_tasks/status_all'])
    await page.route(path, async (route) => {
      const reply = await route.fetch()
      const json = JSON.parse(await reply.text(), (_key, value) =>
        value?.id === id ? { ...value, running_status: 'completed' } : value,
      )
      await route.fulfill({ json })
    })
  await page.goto(`/source_tasks?q=${id}`)
  const view = rowOf(page, name).getByRole('button', { name: /View Data/ })
  const data = '**/api/source_task_data?*'
  await page.route(data, (route) => route.fulfill({ status: 400, json: {} }))
  await view.click()
  await expect(page.locator('.toast').getByText('Failed to load data', { exact: true })).toBeVisible()
  await page.unroute(data)
  await page.keyboard.press('Escape')
  await view.click()
  await expect(page.getByText('No data available for this task yet')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(/^Last updated \d\d:\d\d:\d\d$/)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Auto-refresh' }).check()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Auto-refresh' })).toBeChecked()

  await page.goto(`/source_tasks/${id}/logs`)
  const again = page.waitForRequest(`**/api/source_tasks/${id}/logs?limit=400`)
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await again
  await expect(page.getByRole('checkbox', { name: 'Auto-Refresh' })).not.toBeChecked()
  await expect(page.getByRole('link', { name: 'Back to Source Tasks' })).toHaveAttribute(
    'href',
    '/source_tasks',
  )
})

test('failed saves, runs, switches and deletions are reported, and so are the results of bulk actions', async ({
  page,
}, { testId }) => {
  test.slow()
  const name = `Told ${testId}`
  const id = await addTask(page, null, name)
  await page.goto('/source_tasks')
  const fails = (url: string, json: object = {}) =>
    page.route(url, (route) => route.fulfill({ status: 400, json }))
  /** Waits for a message and closes it: it may cover a button. */
  const expectMessage = async (text: string) => {
    const toast = page.locator('.toast').filter({ has: page.getByText(text, { exact: true }) })
    await toast.getByRole('button').click()
    await expect(toast).toHaveCount(0)
  }
  const foot = page.getByRole('region', { name: 'All tasks' })
  const confirm = (label: string) => page.getByRole('dialog').getByRole('button', { name: label }).click()
  const toggleAll = async () => {
    await foot.getByRole('button', { name: 'Toggle All Active/Inactive' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Dea|A)ctivate All$/ })
      .click()
  }
  const deleteAll = async () => {
    await foot.getByRole('button', { name: 'More actions for all tasks' }).click()
    await page.getByRole('menuitem', { name: 'Delete All' }).click()
    await confirm('Delete All')
  }
  await fails('**/source_tasks/export_csv')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expectMessage('Export failed')
  await fails('**/source_schedule/trigger_all')
  await foot.getByRole('button', { name: 'Run All Tasks' }).click()
  await expectMessage('Error executing all tasks')
  await fails('**/source_tasks/toggle_all_active')
  await toggleAll()
  await expectMessage('Failed to toggle active status for all tasks')
  await fails('**/source_tasks/delete_all', { error: 'Tasks are at work', message: 'Tasks are at work' })
  await deleteAll()
  await expectMessage('Tasks are at work')

  const choose = async (item: string) => {
    await rowOf(page, name)
      .getByRole('button', { name: `More actions for ${name}` })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await fails(`**/api/source_tasks/${id}`)
  await choose('Delete')
  await confirm('Delete')
  await expectMessage('Failed to delete task')
  await page.keyboard.press('Escape')

  const edit = page.getByRole('dialog', { name: 'Edit Source Task' })
  await choose('Edit')
  await edit.getByRole('textbox', { name: 'Description' }).fill('Another one')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectMessage('Save failed')
  await fails(`**/api/source_tasks/${id}`, { error: 'Taken', message: 'Taken', field: 'name' })
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectMessage('Taken')
  await expect(edit.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/Taken/)

  await page.unrouteAll()
  await confirm('Cancel')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.route('**/source_tasks/toggle_all_active', (route) =>
    route.fulfill({ json: { is_active: false, updated_count: 1, message: '' } }),
  )
  await toggleAll()
  await expectMessage('All tasks have been deactivated successfully.')
  await page.route('**/source_tasks/delete_all', (route) => route.fulfill({ status: 204 }))
  await deleteAll()
  await expectMessage('All source tasks deleted')

  const line = { id: 1, level: 'INFO', message: 'A line', timestamp: '2026-11-22T08:00:00.000Z' }
  await page.route('**/logs?limit=400', (route) =>
    route.fulfill({ json: [{ ...line, formatted_timestamp: 'Nov 22, 2026', run_id: null }] }),
  )
  await fails('**/api/source_tasks/*/logs')
  await page.goto(`/source_tasks/${id}/logs`)
  await page.getByRole('button', { name: 'Clear Logs' }).click()
  await confirm('Clear Logs')
  await expectMessage('Failed to clear logs')
})

test('files of source tasks are exported and imported, each refused row with its reason', async ({
  page,
}) => {
  await addTask(page, null, 'Filed source')
  await page.goto('/source_tasks')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('source_tasks_export.csv')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Source Tasks' })
  const file = (name: string, text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await file('tasks.txt', 'x')
  await expect(dialog).toContainText('File must have .csv extension')
  const sheet = 'sheet,spreadsheet-of-a-file,Products'
  await file(
    'tasks.csv',
    `source_task_type_name,name,source_type,spreadsheet_id,sheet_name\n,Filed anew,${sheet}\n,,${sheet}\n`,
  )
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog).toContainText('1 created')
  await expect(dialog).toContainText('Name is required')
  await expect(page.getByText('Import completed').last()).toBeVisible()
  await page.keyboard.press('Escape')
  // Rows outside the viewport are not rendered, and the list also contains tasks of other tests.
  await page.getByPlaceholder('Search by name or id').fill('Filed anew')
  await expect(rowOf(page, 'Filed anew')).toBeVisible()
})
