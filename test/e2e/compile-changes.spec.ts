import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { aCopy } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

// Other tests expect pipelines of their own.
test.afterEach(({ db }) => removeTasks(db))

test('what a compile changed is found by source and field, and leads to the record and to a file', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(
    db,
    ['SKU', 'Name'],
    [
      ['A-1', 'Pan'],
      ['A-2', 'Lid'],
    ],
    'Shop master',
  )
  const prices = await aSource(db, ['SKU', 'Price'], [['A-1', 5]], 'Supplier prices')
  const config = await aMerge(db, [master, prices])
  await enter(page, `/compiler/${config.id}`)
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 3 rows into 2 unique SKUs.')).toBeVisible()
  await aCopy(db, master, ['SKU', 'Name'], [['A-1', 'Frying pan']])
  await aCopy(
    db,
    prices,
    ['SKU', 'Price'],
    [
      ['A-1', 6],
      ['A-3', 7],
    ],
  )
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 3 rows into 2 unique SKUs.').first()).toBeVisible()

  await page.getByRole('link', { name: 'See each change' }).click()
  const table = page.getByRole('table', { name: 'Changes' })
  await expect(table.getByRole('row')).toHaveText([
    /SKU/,
    /A-2Gone.*Shop master/,
    /A-1ChangedNamePanFrying panShop master/,
    /A-1ChangedPrice56Supplier prices/,
    /A-3Added.*Supplier prices/,
  ])
  await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Supplier prices' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Price' })
  await expect(table.getByRole('row')).toHaveCount(2)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toBe(`compiler_config_${config.id}_changes.csv`)
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Added' })
  await expect(page.getByText('No change matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear all filters' }).first().click()
  await table.getByRole('link', { name: 'A-3' }).click()
  await expect(page.getByRole('dialog').getByText('Supplier prices').first()).toBeVisible()
})

test('a compile that changes too much waits, and is accepted after its changes were seen', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(
    db,
    ['SKU', 'Name'],
    [
      ['B-1', 'Pan'],
      ['B-2', 'Lid'],
    ],
    'Kitchen master',
  )
  const config = await aMerge(db, [master])
  await enter(page, `/compiler/${config.id}`)
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 2 rows into 2 unique SKUs.')).toBeVisible()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.locator('summary', { hasText: 'Needs approval' }).click()
  await dialog.getByRole('textbox', { name: /share of the records/ }).fill('40')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await aCopy(db, master, ['SKU', 'Name'], [['B-1', 'Pan']])
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('A compile needs approval')).toBeVisible()
  await page.getByRole('link', { name: 'See what would change' }).click()
  await expect(page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1)).toHaveText(/B-2Gone/)
  await page.getByRole('button', { name: 'Accept the records' }).click()
  await expect(page.getByText('1 record is current now').first()).toBeVisible()
  await expect(page.getByText('A compile needs approval')).toBeHidden()
  await enter(page, `/compiler?tab=data&config=${config.id}`)
  await expect(page.getByText('Records 1–1 of 1')).toBeVisible()
})
