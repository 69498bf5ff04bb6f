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

/** The compiled catalogue as rows of a sheet by SKU, found from the origins themselves. */
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

test('from one press the demo data goes from sheets, an API and a database through the compiler into a target sheet, seen live on the home page', async ({
  page,
}) => {
  test.slow()
  await enter(page, '/')
  await send(page, 'DELETE', '/api/sync_tasks/delete_all?force=true')
  await page.goto('/')
  await page.getByRole('button', { name: 'Set up and run the demo' }).click()
  await expect(page.getByText(/^Queued .*1 sync task/)).toBeVisible()

  const stage = (name: string) =>
    page.getByRole('list', { name: 'Pipeline' }).getByRole('link', { name: new RegExp(`^${name}`) })
  // the catalogue has look-ups that failed, which no run keeps quiet about
  await expect(stage('Sync Tasks')).toHaveText('Sync Tasks1 activeWarning1', { timeout: 90_000 })
  await expect(page.getByRole('region', { name: /need attention/ })).toContainText(
    'with a spreadsheet error such as #N/A',
  )
  await expect(page.getByRole('button', { name: 'Set up and run the demo' })).toHaveCount(0)

  const { header, rows } = await expected()
  const [found_header = [], ...found] = await readSheet(demoIds.shop, 'Catalogue')
  expect(found_header).toEqual(header)
  expect(found).toHaveLength(rows.size)
  for (const row of found) {
    const whole = header.map((_, column) => row[column] ?? '')
    expect(whole).toEqual(rows.get(String(row[0])))
  }

  await page.getByRole('button', { name: 'Run pipeline' }).click()
  const question = page.getByRole('dialog', { name: 'Run the whole pipeline?' })
  await expect(question).toContainText(/This queues .*source tasks.*1 sync task/)
  await question.getByRole('button', { name: 'Run pipeline' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Running now' })).toBeVisible()
})
