import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

test('a check is edited with a live count, and its findings lead from Quality to a record whose value is replaced', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(
    db,
    ['SKU', 'Colour', 'Price'],
    [
      ['A-1', 'blk', '1.234,50 €'],
      ['A-2', 'Red', 5],
      ['A-3', 'Red', 5000],
    ],
    'Shop master',
  )
  const config = await aMerge(db, [master])
  await enter(page, `/compiler/${config.id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 3 rows into 3 unique SKUs.')).toBeVisible()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.locator('summary', { hasText: 'Normalisation' }).click()
  await dialog.getByRole('button', { name: 'Add normalised field' }).click()
  await dialog.getByRole('combobox', { name: 'Normalised field 1' }).fill('Price')
  await dialog
    .getByRole('combobox', { name: 'Step 1 of field 1' })
    .selectOption({ label: 'Split number and unit' })
  await dialog.locator('summary', { hasText: 'Checks' }).click()
  await dialog.getByRole('button', { name: 'Add check' }).click()
  await dialog.getByRole('combobox', { name: 'Field of check 1' }).fill('Price')
  await dialog.getByRole('combobox', { name: 'Kind of check 1' }).selectOption({ label: 'is within a range' })
  await dialog.getByRole('textbox', { name: 'Maximum of check 1' }).fill('2000')
  // records of the last compile, which was not normalised
  await expect(
    dialog.getByText('2 of 3 records of the last compile fail: A-1 (1.234,50 €), A-3 (5000)'),
  ).toBeVisible()
  await dialog
    .getByRole('combobox', { name: 'Values that fail check 1' })
    .selectOption({ label: 'Leave it blank' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: /^Compile / }).click()
  const checks = page.getByRole('table', { name: 'Checks' })
  await expect(checks.getByRole('rowheader', { name: '1. Price must be between 0 and 2000.' })).toBeVisible()
  await checks.getByRole('link', { name: '1', exact: true }).click()
  await expect(page.getByText('Fails check 1')).toBeVisible()
  const records = page.getByRole('region', { name: 'Compiled records' })
  await expect(records.getByText('A-3')).toBeVisible()
  await expect(records.getByText('A-1')).toBeHidden()

  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-3`)
  await expect(
    dialog.getByText('Price must be between 0 and 2000. The value was kept out.', { exact: true }).last(),
  ).toBeVisible()
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-1`)
  await expect(dialog.getByText('In the source: 1.234,50 €')).toBeVisible()
  await dialog.getByRole('button', { name: 'Replace this value of Colour' }).click()
  await page.getByRole('textbox', { name: 'New value' }).fill('Black')
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page.getByText('“blk” becomes “Black” from the next compile on').first()).toBeVisible()
})
