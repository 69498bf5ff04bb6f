import { aMerge, aSource, removeTasks } from '../fixtures/compiling.ts'
import { expect, test } from './app-test.ts'
import { enter } from './screen-states.ts'

test.afterEach(({ db }) => removeTasks(db))

test('a value and a source are decided where sources disagree, by keyboard; the rule is named, removed and undone', async ({
  page,
  db,
}) => {
  test.slow()
  const columns = ['SKU', 'Colour']
  const rows = (colours: string[]) => colours.map((colour, n) => [`A-${n}`, colour])
  const master = await aSource(db, columns, rows(['blk', 'blk', 'red']), 'Colours of the shop')
  const supplier = await aSource(db, columns, rows(['Black', 'Black', 'rouge']), 'Colours of the maker')
  const config = await aMerge(db, [master, supplier])
  const compile = async () => {
    await enter(page, `/compiler/${config.id}`)
    await page.getByRole('button', { name: /^Compile / }).click()
    await expect(page.getByText('Compiled 6 rows into 3 unique SKUs.').first()).toBeVisible()
  }
  await compile()
  await page.getByRole('link', { name: 'Decisions' }).click()
  const table = page.getByRole('table', { name: 'Decisions' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row').nth(1)).toContainText('blk')
  await table.getByRole('button', { name: 'Use Black for Colour' }).press('Enter')
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(table.getByRole('row')).toHaveCount(3)
  await table.getByRole('button', { name: 'Use Black for Colour' }).press('Enter')
  await expect(table.getByRole('row')).toHaveCount(2)
  await table.getByRole('link', { name: '1', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Compiled records' }).getByRole('rowheader')).toHaveText([
    'A-2',
  ])

  await compile()
  await enter(page, `/compiler?tab=data&config=${config.id}&record=A-0`)
  await expect(
    page.getByRole('dialog').getByText(/By a rule of ada@example.com: Colour: “Black”/),
  ).toBeVisible()

  await enter(page, `/compiler/${config.id}/decisions?view=source`)
  await page
    .getByRole('button', { name: 'Always prefer Colours of the maker for Colour' })
    .first()
    .press('Enter')
  await page.getByRole('tab', { name: 'Rules' }).click()
  const rules = page.getByRole('table', { name: 'Rules' })
  await expect(rules.getByText('Colour: always “Colours of the maker” if it has a value')).toBeVisible()
  await rules.getByRole('button', { name: /^Remove the rule Colour: “Black”/ }).press('Enter')
  await expect(rules.getByRole('row')).toHaveCount(2)
})
