import { removeTasks } from '../fixtures/compiling.ts'
import { addSourceTask, addSourceType } from './add-source-task.ts'
import { expect, test } from './app-test.ts'
import { send, signIn } from './as-ada.ts'
import { findsNothing } from './axe.ts'
import { makeSpreadsheet, writeCells } from './google-sheets.ts'

test.afterEach(({ db }) => removeTasks(db))

const COLOURS = ['Red', 'Blue', 'Green']
const rows = Array.from({ length: 30 }, (_, n) => [
  ...[`SKU-${n}`, COLOURS[n % 3] ?? '', 10 + n, `${n + 1} kg`],
  String(4_006_381_333_900 + n),
])

test('a renamed column is shown side by side, accepted once, remembered and forgotten; shifted ones are discarded', async ({
  page,
}, { testId }) => {
  test.slow()
  await signIn(page)
  const name = `Supplier ${testId}`
  const sheet = await makeSpreadsheet(name, [['SKU', 'Colour', 'Price', 'Weight', 'GTIN'], ...rows])
  const type = await addSourceType(page, name)
  const id = await addSourceTask(page, type, name, { spreadsheet_id: sheet, sheet_name: 'Data' })
  const ingest = () => send(page, 'POST', `/api/source_schedule/trigger_task/${id}?wait=60`, {})
  await ingest()
  await writeCells(sheet, 'Data!C1', [['Net price']])
  await ingest()

  await page.goto('/')
  const approval = page.getByRole('region', { name: 'Needs approval' })
  await expect(approval.getByText('Columns', { exact: true })).toBeVisible()
  await expect(approval.getByText(/‘Net price’ of .* looks like the missing column ‘Price’/)).toBeVisible()
  await approval.getByRole('link', { name: /^See the columns side by side/ }).press('Enter')
  const changes = page.getByRole('table', { name: 'Columns that differ' })
  await expect(changes.getByRole('row')).toHaveCount(2)
  await expect(changes.getByRole('rowheader')).toHaveText('Renamed?')
  await expect(changes.getByRole('cell').first()).toContainText('Price column 31011121314')
  await expect(changes.getByRole('combobox', { name: 'Is now, Price' })).toHaveValue('Net price')
  await findsNothing(page, 'Columns that differ')
  await page.getByRole('button', { name: 'Accept', exact: true }).press('Enter')
  await expect(
    page.getByText('30 rows are current now. ‘Net price’ is read as ‘Price’ from now on.'),
  ).toBeVisible()
  const named = page.getByRole('region', { name: 'Columns under another name' })
  await expect(named.getByRole('row').last()).toContainText('Net pricePriceada@example.com')

  // The next file is not asked about again.
  await ingest()
  await page.reload()
  await expect(named).toBeVisible()
  await expect(changes).toBeHidden()

  // Two columns whose cells have moved beside the other's heading.
  await writeCells(
    sheet,
    'Data!D2',
    rows.map(([, , , weight = '', gtin = '']) => [gtin, weight]),
  )
  await ingest()
  await page.goto(`/source_tasks?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: /^Needs your approval/ }).click()
  const dialog = page.getByRole('dialog', { name: `Needs your approval: ${name}` })
  await expect(dialog.getByRole('table').getByRole('rowheader')).toHaveText([
    'Shifted?looks like ‘GTIN’ in the current rows',
    'Shifted?looks like ‘Weight’ in the current rows',
  ])
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()

  await page.goto(`/source_tasks/${id}`)
  await named.getByRole('button', { name: 'Stop reading Net price under another name' }).press('Enter')
  await expect(page.getByText('From the next run on, the column keeps its own name')).toBeVisible()
  await expect(named).toBeHidden()
})

test('a user says which of two new columns is the missing one', async ({ page }, { testId }) => {
  test.slow()
  await signIn(page)
  const name = `Supplier ${testId}`
  const sheet = await makeSpreadsheet(name, [['SKU', 'Colour', 'Price', 'Weight', 'GTIN'], ...rows])
  const type = await addSourceType(page, name)
  const id = await addSourceTask(page, type, name, { spreadsheet_id: sheet, sheet_name: 'Data' })
  const ingest = () => send(page, 'POST', `/api/source_schedule/trigger_task/${id}?wait=60`, {})
  await ingest()
  await writeCells(sheet, 'Data!B1', [['Finish'], ...rows.map((_, n) => [['matt', 'gloss'][n % 2] ?? ''])])
  await writeCells(sheet, 'Data!E1', [['Code'], ...rows.map((_, n) => [`x-${n}`])])
  await ingest()
  await page.goto(`/source_tasks/${id}`)
  const changes = page.getByRole('table', { name: 'Columns that differ' })
  await expect(changes.getByRole('rowheader').filter({ hasText: 'Missing' })).toHaveCount(2)
  await changes.getByRole('combobox', { name: 'Is now, Colour' }).selectOption({ label: 'is now Finish' })
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  const named = page.getByRole('region', { name: 'Columns under another name' })
  await expect(named.getByRole('row').last()).toContainText('FinishColour')
  const data = await (await page.request.get(`/api/source_tasks/${id}/columns`)).json()
  expect(data.columns.map((column: { name: string }) => column.name)).toEqual([
    ...['SKU', 'Colour', 'Price', 'Weight', 'Code'],
  ])
})
