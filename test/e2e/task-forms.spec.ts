import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, showTask, signIn } from './as-ada.ts'

const small = [
  ['SKU', 'Price'],
  ['007', 1.5],
]

test.beforeEach(async ({ page }) => signIn(page))

test('the add form has its fields, shows times as chips, requires the configuration of an internal source, and offers shared accounts', async ({
  page,
}, { testId }) => {
  await addType(page, `Form ${testId}`)
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  await test.step('its fields and their defaults', async () => {
    for (const name of ['Task type', 'Source spreadsheet', 'Source sheet name'])
      await expect(dialog.getByRole('combobox', { name })).toBeVisible()
    for (const name of ['Target spreadsheet', 'Target sheet name', 'Other Google accounts'])
      await expect(dialog.getByRole('combobox', { name })).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('')
    await expect(dialog.getByRole('textbox', { name: 'Start row' })).toHaveValue('1')
    await expect(dialog.getByRole('textbox', { name: 'Chunk size' })).toHaveValue('1000')
    await expect(dialog.getByRole('radio', { name: 'Google Sheet' })).toBeChecked()
    await expect(dialog.getByRole('combobox', { name: 'Compiler configuration' })).toHaveCount(0)
    const chips = dialog.getByRole('button', { name: /^Remove \d\d:\d\d$/ })
    await expect(chips).toHaveCount(2)
  })
  await test.step('chunk size and start row have a minimum of 1', async () => {
    for (const name of ['Start row', 'Chunk size']) {
      const field = dialog.getByRole('textbox', { name })
      await field.fill('0')
      await field.blur()
      await expect(field).toHaveValue('0')
      await dialog.getByRole('button', { name: 'Add task' }).click()
      await expect(field).toHaveAccessibleDescription(/Must be a whole number from 1 to/)
    }
  })
  await expect(dialog.getByText('EST, 24-hour HH:MM')).toBeVisible()
  const times = dialog.getByRole('textbox', { name: 'Scheduled times' })
  await times.fill('5:30,')
  for (const time of ['04:00', '05:30', '23:00'])
    await expect(dialog.getByRole('button', { name: `Remove ${time}` })).toBeVisible()
  await times.fill('25:00')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(dialog.getByText('Please enter a valid time in HH:MM format (24-hour)')).toBeVisible()
  await expect(dialog.getByText('Source Spreadsheet ID required')).toBeVisible()
  await expect(dialog.getByText('Target Spreadsheet ID required')).toBeVisible()
  await dialog.getByText('Internal DB').click()
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(
    dialog.getByText('Please select a Compiler Configuration for internal source tasks.'),
  ).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Source spreadsheet' })).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Other Google accounts' }).click()
  await expect(page.getByRole('option', { name: /ada@example\.com, you/ })).toBeVisible()
})

test('chunk size is 1000 in the add form and 2000 after a save; in the edit form it is the type’s, and read-only', async ({
  page,
}, { testId }) => {
  const type = await addType(page, `Chunks ${testId}`, { chunk_size: 750 })
  const { source_ss_id, target_ss_id } = await addTask(page, type, 'Beside it', small)
  await page.goto(`/sync_tasks?type=${type}`)
  await page.getByRole('button', { name: 'Add task' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const chunk_size = page.getByRole('dialog').getByRole('textbox', { name: 'Chunk size' })
  await expect(chunk_size).toHaveValue('1000')
  await dialog.getByRole('combobox', { name: 'Task type' }).fill('Chunks')
  await page
    .getByRole('listbox')
    .getByRole('option', { name: `Chunks ${testId}` })
    .click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Chunked')
  await dialog.getByRole('combobox', { name: 'Source spreadsheet' }).fill(source_ss_id)
  await dialog.getByRole('combobox', { name: 'Target spreadsheet' }).fill(target_ss_id)
  await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill('Chunked')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(page.getByText('Sync Task Added Successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Add task' }).click()
  await expect(chunk_size).toHaveValue('2000')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions for Chunked' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Sync Task' })).toBeVisible()
  await expect(chunk_size).toHaveValue('750')
  await expect(chunk_size).toHaveAttribute('readonly')
  await expect(page.getByRole('button', { name: 'Remove 04:00' })).toBeVisible()
})

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport })

    test('list and detail are not wider than their window, however long names and log lines are', async ({
      page,
    }, { testId }) => {
      const name = 'Long'.repeat(24) + viewport.width
      const task = await addTask(page, await addType(page, `L${'o'.repeat(35)}ng ${testId}`), name, small)
      await send(page, 'PUT', `/api/sync_tasks/${task.id}`, { source_sheet_name: 'x'.repeat(100) })
      await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
      const row = await showTask(page, name)
      await expect(row.getByText('Failed', { exact: true })).toBeVisible()
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      expect(await width()).toBe(viewport.width)
      await page.goto(`/sync_tasks/${task.id}`)
      await expect(page.getByRole('cell', { name: 'ERROR' }).first()).toBeVisible()
      expect(await width()).toBe(viewport.width)
    })
  })

test('the detail page shows the names of the spreadsheets before the first run, and times in EST', async ({
  page,
}, { testId }) => {
  const task = await addTask(page, await addType(page, `Named ${testId}`), 'To be named', small)
  await page.goto(`/sync_tasks/${task.id}`)
  await expect(page.getByText('To be named source', { exact: true })).toBeVisible()
  await expect(page.getByText('To be named target / Data', { exact: true })).toBeVisible()
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute`)
  const state = page.getByRole('region', { name: 'State' })
  await expect(state.getByText(/^\w{3} \d+, 20\d\d, \d\d:\d\d:\d\d EST$/)).toBeVisible()
})
