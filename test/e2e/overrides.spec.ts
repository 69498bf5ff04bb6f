import type { Db } from '../../src/server/platform/db.ts'
import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { aCopy } from '../fixtures/factories.ts'
import { expect, test } from './app-test.ts'
import { findsNothing } from './axe.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

/** Sets the price of an SKU as another user. */
const aReplacement = (db: Db, compiler_config_id: number, sku: string) =>
  db
    .insertInto('compiler_overrides')
    .values({
      ...{ compiler_config_id, sku, field: 'Price', value: '9', reason: '' },
      ...{ author: 'bob@example.com', batch: 1_000_000 },
    })
    .execute()

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

test('overrides of a selection retire by themselves, are for review together, and are kept or dropped at once, which is undone', async ({
  page,
  db,
}) => {
  test.slow()
  const columns = ['SKU', 'Price']
  const master = await aSource(
    db,
    columns,
    ['A-1', 'A-2', 'A-3'].map((sku) => [sku, 5]),
    'Shop master',
  )
  const config = await aMerge(db, [master])
  const compile = async () => {
    await enter(page, `/compiler/${config.id}`)
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 3 rows into 3 unique SKUs.').first()).toBeVisible()
  }
  await compile()
  await enter(page, `/compiler?tab=data&config=${config.id}`)
  await page.getByRole('button', { name: 'Set a value…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Price')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('7')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Spring sale')
  await dialog.getByRole('button', { name: /^Set / }).click()
  await expect(page.getByText('3 overrides set, from the next compile on')).toBeVisible()
  await compile()
  // One source comes to say the same, two change to something else.
  await aCopy(db, master, columns, [
    ['A-1', 7],
    ['A-2', 6],
    ['A-3', 6],
  ])
  await compile()
  await page
    .getByRole('region', { name: '2 overrides are for review: a source has changed since.' })
    .waitFor()
  await enter(page, '/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention.getByText('2 overrides are for review: a source has changed since.')).toBeVisible()
  await attention.getByRole('link', { name: 'Keep or drop them' }).press('Enter')
  const table = page.getByRole('table', { name: 'Overrides' })
  await expect(table.getByRole('rowheader')).toHaveText(['A-3', 'A-2'])
  await page.getByRole('button', { name: 'Keep all 2…' }).press('Enter')
  await findsNothing(page, 'The confirmation for all overrides')
  await dialog.getByRole('button', { name: 'Keep', exact: true }).press('Enter')
  await expect(page.getByText('2 overrides kept')).toBeVisible()
  await expect(page.getByText('No override matches these filters')).toBeVisible()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.press('Enter')
  await expect(page.getByText('The change is undone')).toBeVisible()
  await expect(undo).toHaveCount(0)
  await expect(table.getByRole('rowheader')).toHaveText(['A-3', 'A-2'])

  await page.getByRole('button', { name: 'Drop all 2…' }).press('Enter')
  await dialog.getByRole('button', { name: 'Drop', exact: true }).press('Enter')
  await expect(page.getByText('No override matches these filters')).toBeVisible()
  // Another user sets one of them meanwhile.
  await aReplacement(db, config.id, 'A-2')
  await undo.press('Enter')
  await expect(
    page.getByText('The change is undone, except for 1 override changed by others since: Price of A-2'),
  ).toBeVisible()
  await expect(table.getByRole('rowheader')).toHaveText(['A-3'])
  await page.getByRole('button', { name: 'Keep all 1…' }).press('Enter')
  await dialog.getByRole('button', { name: 'Keep', exact: true }).press('Enter')
  await expect(page.getByText('1 override kept')).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Ended (2)' })
  await expect(table.getByRole('row').last()).toContainText('A-1')
  await expect(table.getByText('Ended by itself: the sources have the same value.')).toBeVisible()
})

test('an override with a last day applies until then, and ends with the first compile after it', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(db, ['SKU', 'Price'], [['A-1', 5]], 'Shop master')
  const config = await aMerge(db, [master])
  const dialog = page.getByRole('dialog', { name: 'Record A-1' })
  const compile = async () => {
    await enter(page, `/compiler/${config.id}`)
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 1 row into 1 unique SKU.').first()).toBeVisible()
    await enter(page, `/compiler?tab=data&config=${config.id}&record=A-1`)
  }
  await compile()
  await dialog.getByRole('button', { name: 'Set Price' }).press('Enter')
  await page.getByRole('textbox', { name: 'Value' }).fill('7')
  const day = page.getByLabel('Last day (optional)')
  const save = page.getByRole('button', { name: 'Set value', exact: true })
  await day.fill('2020-02-29')
  await save.press('Enter')
  await expect(page.getByText('2020-02-29 is over. Choose today or a later day.')).toBeVisible()
  await day.fill('2999-12-31')
  await save.press('Enter')
  await expect(dialog.getByText('From the next compile on: 7')).toBeVisible()
  await compile()
  await expect(dialog.getByText('Wins over all sources.')).toBeVisible()
  await expect(dialog.getByText('until Dec 31, 2999')).toBeVisible()

  await db
    .updateTable('compiler_overrides')
    .set({ ends_on: '2020-02-29' })
    .where('compiler_config_id', '=', config.id)
    .execute()
  await compile()
  await expect(dialog.getByText(/^5/)).toBeVisible()
  await expect(dialog.getByText('Wins over all sources.')).toBeHidden()
  await enter(page, `/compiler/${config.id}/overrides`)
  const row = page.getByRole('table', { name: 'Overrides' }).getByRole('row', { name: 'A-1' })
  await expect(row).toContainText('until Feb 29, 2020')
  await expect(row).toContainText('Ended on its end date.')
})
