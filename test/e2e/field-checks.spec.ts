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

test('every kind of check says while it is edited what it finds, and an incomplete one is marked', async ({
  page,
  db,
}) => {
  test.slow()
  const columns = ['SKU', 'Name', 'Colour', 'Price', 'Sale', 'Mail', 'Since']
  const master = await aSource(
    db,
    columns,
    [
      ['A-1', 'Pan', 'Red', 10, 9, 'a@example.com', '2026-01-31'],
      ['A-2', '', 'Rde', 20, 25, 'b', '31.01.2026'],
      ['A-3', 'Pan', 'Red', 0.5, null, 'c@example.com', '2026-01-31'],
    ],
    'Shop master',
  )
  const config = await aMerge(db, [master, await aSource(db, ['SKU', 'Hue'], [['A-1', 'Red']], 'Hues')])
  await enter(page, `/compiler/${config.id}`)
  await page.getByRole('button', { name: /^Compile / }).click()
  await expect(page.getByText('Compiled 4 rows into 3 unique SKUs.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Configuration' })
  await dialog.locator('summary', { hasText: 'Checks' }).click()
  const box = (name: string) => dialog.getByRole('textbox', { name })
  const choose = (name: string, label: string) =>
    dialog.getByRole('combobox', { name }).selectOption({ label })
  const kinds: [string, string, ((n: number) => Promise<unknown>) | null, string][] = [
    ['is filled', 'Name', null, '1 of 3 records of the last compile fails: A-2 (blank)'],
    [
      'has a type',
      'Since',
      (n) => choose(`Type of check ${n}`, 'a date'),
      '1 of 3 records of the last compile fails: A-2 (31.01.2026)',
    ],
    [
      'is within a range',
      'Price',
      async (n) => {
        await box(`Minimum of check ${n}`).fill('-5.5')
        await box(`Maximum of check ${n}`).fill('15')
      },
      '1 of 3 records of the last compile fails: A-2 (20)',
    ],
    [
      'has a length',
      'Colour',
      (n) => box(`Maximum of check ${n}`).fill('2'),
      '3 of 3 records of the last compile fail: A-1 (Red), A-2 (Rde), A-3 (Red)',
    ],
    [
      'is one of a list',
      'Colour',
      async (n) => {
        await dialog.getByRole('combobox', { name: `Values of check ${n}` }).fill('Red')
        await dialog.getByRole('combobox', { name: `Values of check ${n}` }).press('Enter')
      },
      '1 of 3 records of the last compile fails: A-2 (Rde)',
    ],
    [
      'is in a column of a source',
      'Colour',
      async (n) => {
        await choose(`Source of check ${n}`, 'Hues')
        await dialog.getByRole('combobox', { name: `Column of check ${n}` }).fill('Hue')
      },
      '1 of 3 records of the last compile fails: A-2 (Rde)',
    ],
    [
      'matches a pattern',
      'Mail',
      (n) => box(`Pattern of check ${n}`).fill('.+@example\\.com'),
      '1 of 3 records of the last compile fails: A-2 (b)',
    ],
    [
      'is a number with a unit',
      'Price',
      (n) => choose(`Notation of check ${n}`, '1.234,50 (German)'),
      '0 of 3 records of the last compile fail',
    ],
    ['is unique', 'Name', null, '2 of 3 records of the last compile fail: A-1 (Pan), A-3 (Pan)'],
    [
      'compared with a field',
      'Sale',
      (n) => dialog.getByRole('combobox', { name: `Other field of check ${n}` }).fill('Price'),
      '1 of 3 records of the last compile fails: A-2 (25)',
    ],
    [
      'median since last compile',
      'Price',
      (n) => box(`Largest change of check ${n}`).fill('10'),
      'The median of the last compile is 10. The next compile warns below 9 and above 11.',
    ],
  ]
  for (const [at, [kind, field, fill, found]] of kinds.entries()) {
    await dialog.getByRole('button', { name: 'Add check' }).click()
    const line = dialog.getByRole('group', { name: `Check ${at + 1}`, exact: true })
    await line.getByRole('combobox', { name: /^Field of check/ }).fill(field)
    await line.getByRole('combobox', { name: /^Kind of check/ }).selectOption({ label: kind })
    await fill?.(at + 1)
    await expect(line.getByRole('status')).toHaveText(found)
  }
  await box('Pattern of check 7').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('group', { name: 'Check 7' }).getByText('Enter a pattern')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Field of check 7' })).toBeFocused()
  await box('Pattern of check 7').fill('.+')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
})

test('a code that lost its leading zeros is used as suggested with one press, and undone', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(db, ['SKU', 'GTIN'], [['A-1', 36000291452]], 'Shop master')
  const config = await aMerge(db, [master])
  await db
    .updateTable('compiler_configs')
    .set({
      field_checks: JSON.stringify([
        { field: 'GTIN', kind: 'check_digit', code: 'gtin', severity: 'error', keep_out: 'none' },
      ]),
    })
    .where('id', '=', config.id)
    .execute()
  await enter(page, `/compiler/${config.id}`)
  const compile = async () => {
    await page.goto(`/compiler/${config.id}`)
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 1 row into 1 unique SKU.').first()).toBeVisible()
    await page.goto(`/compiler?tab=data&config=${config.id}&record=A-1`)
  }
  await compile()
  const dialog = page.getByRole('dialog', { name: 'Record A-1' })
  const use = dialog.getByRole('button', { name: 'Use 036000291452 as GTIN' })
  await use.press('Enter')
  await expect(dialog.getByText('From the next compile on: 036000291452')).toBeVisible()
  await expect(use).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(use).toBeVisible()
  await use.click()
  await expect(dialog.getByText('From the next compile on: 036000291452')).toBeVisible()
  await compile()
  await expect(dialog.getByText('In the source: 36000291452')).toBeVisible()
  await expect(dialog.getByText('Wins over all sources.')).toBeVisible()
  await expect(dialog.getByText('GTIN must be a GTIN with a valid check digit.')).toBeHidden()
})

test('the normalisation of a field restores leading zeros of codes that they make valid', async ({
  page,
  db,
}) => {
  test.slow()
  const master = await aSource(
    db,
    ['SKU', 'GTIN'],
    [
      ['A-1', 36000291452],
      ['A-2', 12345],
    ],
    'Shop master',
  )
  const config = await aMerge(db, [master])
  await enter(page, `/compiler/${config.id}`)
  const compile = async () => {
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 2 rows into 2 unique SKUs.').first()).toBeVisible()
  }
  await compile()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('summary', { hasText: 'Normalisation' }).click()
  await dialog.getByRole('button', { name: 'Add normalised field' }).click()
  await dialog.getByRole('combobox', { name: 'Normalised field 1' }).fill('GTIN')
  await dialog
    .getByRole('combobox', { name: 'Step 1 of field 1' })
    .selectOption({ label: 'Restore leading zeros' })
  await dialog.getByRole('combobox', { name: 'Code, step 1 of field 1' }).selectOption({ label: 'UPC' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await compile()
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-1`)
  await expect(dialog.getByText('036000291452')).toBeVisible()
  await expect(dialog.getByText('In the source: 36000291452')).toBeVisible()
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-2`)
  await expect(dialog.getByText('12345')).toBeVisible()
  await expect(dialog.getByText('In the source:')).toBeHidden()
})
