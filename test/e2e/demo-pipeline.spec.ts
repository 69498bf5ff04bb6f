import { contentRows, stockRows } from '../../sandbox/demo/catalogue.ts'
import { demoIds } from '../../sandbox/demo/seed.ts'
import { recordsOf } from '../../sandbox/demo-api/records.ts'
import { plainMerge } from '../fixtures/plain-merge.ts'
import { expect, test } from './app-test.ts'
import { send } from './as-ada.ts'
import { readSheet } from './google-sheets.ts'
import { enter } from './screen-states.ts'

type Cells = (string | number | boolean | null)[][]

const sourceOf = ([columns = [], ...rows]: Cells) => {
  const names = columns.map(String)
  return { columns: names, sku: names.findIndex((name) => name.toLowerCase() === 'sku'), rows }
}

/** The expected compiled catalogue as sheet rows by SKU, computed from the source data. */
async function expected(): Promise<{ header: string[]; rows: Map<string, Cells[number]> }> {
  const [stock, content] = [recordsOf(stockRows()), recordsOf(contentRows())]
  const { fields, records } = plainMerge(
    [
      await readSheet(demoIds.master, 'Products'),
      await readSheet(demoIds.prices, 'Prices'),
      [stock.fields, ...stock.values],
      [content.fields, ...content.values],
    ].map(sourceOf),
  )
  const rows = records.map(({ sku, values }) => [sku, ...fields.map((field) => values[field] ?? '')])
  return { header: ['SKU', ...fields], rows: new Map(rows.map((row) => [String(row[0]), row])) }
}

// It looks at the whole pipeline, where earlier tests may have left tasks.
test('one click copies the demo data from sheets, an API and a database through the compiler into a target sheet, live on the home page', async ({
  page,
}) => {
  test.slow()
  await enter(page, '/')
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
  await page.goto('/')
  await page.getByRole('button', { name: 'Set up and run the demo' }).click()
  await expect(page.getByText(/^Queued .*1 sync task/)).toBeVisible()

  const stage = (name: string) =>
    page.getByRole('list', { name: 'Pipeline' }).getByRole('listitem').filter({ hasText: name })
  const result = page.getByRole('region', { name: /^The demo is/ })
  await expect(result).toContainText('The demo is done: 1,206 products are in Web shop', { timeout: 90_000 })
  await expect(stage('Sync Tasks')).toHaveText('Sync Tasks1 activeAll well')
  await expect(stage('Compiler')).toContainText('All well')
  // The prices of supplier A contain failed lookups on purpose.
  await expect(stage('Source Tasks')).toContainText('Warning1')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention).toContainText(
    '3 cells (Discount in row 42, Discount in row 382, Discount in row 722) with a spreadsheet error such as #N/A',
  )
  await expect(attention.getByRole('link', { name: 'Supplier A prices' })).toBeVisible()
  await expect(result).toContainText('three discounts in Supplier A prices are #N/A')
  await expect(page.getByRole('button', { name: 'Set up and run the demo' })).toHaveCount(0)

  const { header, rows } = await expected()
  const [found_header = [], ...found] = await readSheet(demoIds.shop, 'Catalogue')
  expect(found_header).toEqual(header)
  expect(found).toHaveLength(rows.size)
  for (const row of found) {
    const whole = header.map((_, column) => row[column] ?? '')
    expect(whole).toEqual(rows.get(String(row[0])))
  }

  await test.step('the result opens in the target tab, and among the records', async () => {
    const opened = page.waitForEvent('popup')
    await result.getByRole('link', { name: 'See the result' }).click()
    const sheet = await opened
    await expect(sheet.getByRole('button', { name: 'Catalogue', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await sheet.close()
    await result.getByRole('link', { name: 'See the merged records' }).click()
    await expect(page.getByText('Records 1–20 of 1,206')).toBeVisible()
    await page.getByRole('button', { name: 'RF-10028', exact: true }).click()
  })

  await test.step('a field of a record leads to the rule, to what each source has, and to its cells', async () => {
    const record = page.getByRole('dialog', { name: 'Record RF-10028' })
    const price = record.getByRole('listitem').filter({ hasText: /^Price/ })
    await price.getByRole('link', { name: 'Catalogue master' }).press('Enter')
    await expect(
      page.getByRole('heading', { name: '‘Price’ of record RF-10028 in ‘Demo catalogue’' }),
    ).toBeVisible()
    const way = page.getByRole('region', { name: 'Where it comes from' })
    await expect(way).toContainText(
      'The first source with a value, in the order ‘Catalogue master’, ‘Supplier A prices’, ‘Supplier B stock’, ‘Supplier C content’.',
    )
    await expect(way.getByRole('row', { name: /^Catalogue master/ })).toContainText('Used')
    await expect(way.getByRole('row', { name: /^Supplier B stock/ })).toContainText('No such column')
    expect((await readSheet(demoIds.master, 'Products'))[5]).toContain(21.68)
    const uses = page.getByRole('region', { name: 'Where it ends up' })
    await expect(uses.getByRole('link', { name: /^[A-Z]+\d+ of ‘Catalogue’/ })).toBeVisible()
    await page.getByRole('combobox', { name: 'Column of this row' }).click()
    await page.getByRole('option', { name: 'on_hand' }).click()
    await expect(way).toContainText('‘on_hand’ of item 5 in the reply of ‘demo-stock-api’')
    // The chosen column replaces the address, so it is chosen again.
    await page.getByRole('combobox', { name: 'Column of this row' }).click()
    await page.getByRole('option', { name: 'Price', exact: true }).click()
    const used = way.getByRole('link', { name: 'E6 of ‘Products’ in ‘Catalogue master’', exact: true })
    await used.first().click()
    await expect(page).toHaveURL(/range%3DE6/)
    await expect(uses).toContainText('record RF-10028')
    await expect(
      uses.getByRole('link', { name: 'E6 of ‘Catalogue’ in ‘Web shop’', exact: true }),
    ).toBeVisible()
    await page.goto('/')
    await result.getByRole('button', { name: 'Close the demo' }).click()
    await page.reload()
    await expect(page.getByRole('list', { name: 'Pipeline' })).toBeVisible()
    await expect(result).toHaveCount(0)
  })

  await page.getByRole('button', { name: 'Run pipeline' }).click()
  const question = page.getByRole('dialog', { name: 'Run the whole pipeline?' })
  await expect(question).toContainText(/This queues .*source tasks.*1 sync task/)
  await question.getByRole('button', { name: 'Run pipeline' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Running now' })).toBeVisible()
})
