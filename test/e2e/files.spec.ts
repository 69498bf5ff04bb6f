import { addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { makeSpreadsheet, readSheet } from './google-sheets.ts'

const FILE = 'Files/supplier-prices.xlsx'

test('a workbook is chosen in its folder with the keyboard, and copied into a Google spreadsheet', async ({
  page,
}, { testId }) => {
  await signIn(page)
  const name = `From a file ${testId}`
  await addType(page, name)
  const target = await makeSpreadsheet(`Target ${testId}`)
  await page.goto('/sync_tasks')
  await page.getByRole('button', { name: 'Add task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Sync Task' })
  const type = dialog.getByRole('combobox', { name: 'Task type' })
  // If it is the only type, it is selected already, and filling changes nothing.
  await type.click()
  await type.fill(name)
  await page.getByRole('option', { name }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)

  const source = dialog.getByRole('combobox', { name: 'Source spreadsheet' })
  await source.click()
  const options = page.getByRole('listbox', { name: 'Spreadsheets for Source spreadsheet' })
  await expect(options.getByRole('option', { name: 'Files' })).toBeVisible()
  await source.press('ArrowDown')
  await source.press('Enter')
  await expect(options.getByRole('option', { name: /supplier-prices\.xlsx/ })).toBeVisible()
  await expect(options.getByRole('option', { name: 'All folders' })).toBeVisible()
  // Other tests may have files there.
  await expect
    .poll(async () => {
      await source.press('ArrowDown')
      return options.locator('[data-combobox-selected]').textContent()
    })
    .toContain('supplier-prices.xlsx')
  await source.press('Enter')
  await expect(dialog.getByText(`2 sheets · ${FILE}`)).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Source sheet name' }).fill('Pri')
  await page.getByRole('option', { name: 'Prices', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Target spreadsheet' }).fill(target)
  await dialog.getByRole('combobox', { name: 'Target sheet name' }).fill('Data')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await expect(dialog).toBeHidden()

  const { syncTasks } = await (
    await page.request.get(`/api/sync_tasks?search=${encodeURIComponent(name)}`)
  ).json()
  const [{ id }] = syncTasks
  await send(page, 'POST', `/api/sync_tasks/${id}/execute?wait=60`)
  const rows = await readSheet(target, 'Data')
  expect(rows).toHaveLength(901)

  await page.goto(`/sync_tasks/${id}`)
  await expect(page.getByText(`supplier-prices.xlsx / Prices (${FILE})`)).toBeVisible()
})

test('a typed path is offered file by file, and one that does not exist is marked', async ({ page }) => {
  await signIn(page)
  await page.goto('/source_tasks')
  await page.getByRole('button', { name: 'Add Source Task' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Source Task' })
  await dialog.getByRole('combobox', { name: 'Source Type' }).click()
  await page
    .getByRole('listbox', { name: 'Source Type' })
    .getByRole('option', { name: 'Google Sheet' })
    .click()
  const source = dialog.getByRole('combobox', { name: 'Source spreadsheet' })
  await source.fill('Files/supp')
  await page.getByRole('option', { name: /supplier-prices\.xlsx/ }).click()
  await expect(dialog.getByText(`2 sheets · ${FILE}`)).toBeVisible()
  await source.fill('Files/none.xlsx')
  await expect(dialog.getByText('There is no file ‘Files/none.xlsx’.')).toBeVisible()
})
