import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { aCopy } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

test('a value is set in a record, wins, is for review when its source changes, and is dropped; a file is previewed and undone', async ({
  page,
  db,
}) => {
  test.slow()
  const columns = ['SKU', 'Price']
  const rows = [
    ['A-1', 5],
    ['A-2', 6],
  ]
  const master = await aSource(db, columns, rows, 'Shop master')
  const config = await aMerge(db, [master])
  const compile = async () => {
    await enter(page, `/compiler/${config.id}`)
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 2 rows into 2 unique SKUs.').first()).toBeVisible()
  }
  await compile()
  const dialog = page.getByRole('dialog')
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-1`)
  await dialog.getByRole('button', { name: 'Set Price' }).press('Enter')
  await page.getByRole('textbox', { name: 'Value' }).fill('7')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Agreed by phone')
  await page.getByRole('button', { name: 'Set value', exact: true }).press('Enter')
  await expect(dialog.getByText('From the next compile on: 7')).toBeVisible()

  await compile()
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-1`)
  await expect(dialog.getByText('Agreed by phone')).toBeVisible()
  await expect(dialog.getByText('Wins over all sources.')).toBeVisible()

  await aCopy(db, master, columns, [['A-1', 8], rows[1] ?? []])
  await compile()
  await page.getByRole('link', { name: 'Overrides' }).click()
  const table = page.getByRole('table', { name: 'Overrides' })
  await expect(table.getByText('Shop master: “5” → “8”')).toBeVisible()
  await table.getByRole('button', { name: 'Drop Price of A-1' }).press('Enter')
  await expect(table.getByText('Ended', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Import CSV' }).click()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'overrides.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('sku,field,value\nA-2,Price,9\nA-2,Weight,1\n'),
  })
  await expect(dialog.getByText('1 override would be set; 1 refused and left out')).toBeVisible()
  await expect(dialog.getByText('Row 3: The records have no field “Weight”.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Set 1 override' }).click()
  await expect(table.getByRole('rowheader', { name: 'A-2' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(table.getByText(/^Undone by /)).toBeVisible()
})
