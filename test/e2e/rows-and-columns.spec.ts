import type { Locator } from '@playwright/test'
import { addTask, addType } from './add-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { readSheet } from './google-sheets.ts'

const header = ['SKU', 'Brand', 'Stock', 'Note']
const rows = [
  ['007', 'Acme', 5, ''],
  ['008', 'Bolt', 0, 'old'],
  ['009', 'acme', 12, ''],
  ['010', 'Core', '1.234,50', 'text'],
]

/** The line that unfolds a section. */
const section = (dialog: Locator, name: string) =>
  dialog.locator('summary').filter({ hasText: new RegExp(`^${name}`) })

test('rows and columns are chosen in the editor, which shows what a run will copy', async ({ page }, {
  testId,
}) => {
  await signIn(page)
  const name = `Chosen ${testId}`
  const task = await addTask(page, await addType(page, name), name, [header, ...rows])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await section(dialog, 'Rows and columns').click()
  await expect(dialog.getByRole('status').filter({ hasText: '4 rows are copied.' })).toBeVisible()

  await section(dialog, 'Columns').click()
  await dialog.getByText('Chosen columns').click()
  await dialog.getByRole('checkbox', { name: /^Note/ }).uncheck()
  await dialog.getByRole('textbox', { name: 'Name of Stock in the target' }).fill('On hand')

  await section(dialog, 'Filter').click()
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByRole('combobox', { name: 'Column of condition 1' }).fill('Stock')
  await dialog.getByRole('combobox', { name: 'Comparison of condition 1' }).selectOption('is more than')
  await dialog.getByRole('textbox', { name: 'Value of condition 1' }).fill('0')
  await expect(dialog.getByText('2 of 4 rows are copied.')).toBeVisible()
  await expect(
    dialog.getByText(/Some numbers of ‘Stock’ are written as text, such as ‘1.234,50’/),
  ).toBeVisible()

  await section(dialog, 'Order and number of rows').click()
  await dialog.getByRole('button', { name: 'Add order' }).click()
  await dialog.getByRole('combobox', { name: 'Column of order 1' }).fill('Stock')
  await dialog.getByRole('combobox', { name: 'Direction of order 1' }).selectOption('largest first')
  const first = dialog.getByRole('table', { name: 'First rows of the target' })
  await expect(first.getByRole('row')).toHaveText(['SKUBrandOn hand', '009acme12', '007Acme5'])

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await send(page, 'POST', `/api/sync_tasks/${task.id}/execute?wait=60`)
  expect(await readSheet(task.target_ss_id, 'Data')).toEqual([
    ['SKU', 'Brand', 'On hand'],
    ['009', 'acme', 12],
    ['007', 'Acme', 5],
  ])
})

test('a condition that makes no sense is marked, and nothing is saved', async ({ page }, { testId }) => {
  await signIn(page)
  const name = `Refused ${testId}`
  const task = await addTask(page, await addType(page, name), name, [header, ...rows])
  await page.goto(`/sync_tasks/${task.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Sync Task' })
  await section(dialog, 'Rows and columns').click()
  await section(dialog, 'Filter').click()
  await dialog.getByRole('button', { name: 'Add condition' }).click()
  await dialog.getByRole('combobox', { name: 'Column of condition 1' }).fill('Stock')
  await dialog.getByRole('combobox', { name: 'Comparison of condition 1' }).selectOption('is more than')
  await dialog.getByRole('textbox', { name: 'Value of condition 1' }).fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('‘many’ is not a number. Write it as 1234.5')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Column of condition 1' }).fill('Stok')
  await dialog.getByRole('textbox', { name: 'Value of condition 1' }).fill('3')
  await expect(dialog.getByText(/has no column ‘Stok’\. Its nearest names are ‘Stock’/)).toBeVisible()
})
