import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { NASTY_TEXTS } from '../../../../../test/fixtures/nasty-texts.ts'
import {
  cellsOf,
  formatsOf,
  opened,
  type Parts,
  packed,
  partsOf,
  workbookParts,
} from '../../../../../test/fixtures/workbooks.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { createWorkbook, patchTab } from './patch-tab.ts'
import type { PatchCell } from './tab-change.ts'

/** A change of cells that are given by row number. */
function changeOf(rows: Record<number, PatchCell[]>) {
  const entries = Object.entries(rows).map(([row, cells]) => ({ row: Number(row), cells }))
  const columns = entries.flatMap(({ cells }) => cells.map(({ column }) => column))
  const numbers = entries.map(({ row }) => row - 1)
  const area = {
    top: Math.min(...numbers),
    bottom: Math.max(...numbers),
    left: Math.min(...columns),
    right: Math.max(...columns),
  }
  return { area, rows: [entries] }
}

const columnA = (values: CellValue[]) =>
  changeOf(Object.fromEntries(values.map((value, n) => [n + 1, [{ column: 0, value }]])))

/** Writes the first tab of a workbook and returns the parts of the copy. */
async function patched(parts: Parts, change: ReturnType<typeof changeOf>) {
  const folder = await testFolder()
  const path = await packed(folder, parts)
  const out = join(folder, 'out.xlsx')
  const [tab = expect.fail()] = (await opened(path)).tabs
  await patchTab(path, tab, change, out)
  const before = await partsOf(path)
  const after = await partsOf(out)
  const changed = [...before].flatMap(([part, { bytes }]) =>
    after.get(part)?.bytes.equals(bytes) ? [] : [part],
  )
  const text = (part: string) => after.get(part)?.text ?? ''
  return { out, text, changed: changed.toSorted(), names: [...after.keys()] }
}

const SHEET = 'xl/worksheets/sheet1.xml'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const CELLS =
  '<row r="1" spans="1:2"><c r="A1" t="inlineStr"><is><t>SKU</t></is></c><c r="B1" s="1"><v>5</v></c></row><row r="3" ht="30"><c r="A3" s="1"><v>7</v></c><c r="C3" t="b"><v>1</v></c><extLst/></row>'

test('cells are written into their places; all others, their styles and all other parts stay', async () => {
  const parts = workbookParts({
    tabs: { Prices: CELLS, Other: '<row r="1"><c r="A1"><v>1</v></c></row>' },
    styles: [0, 14, 4],
    head: '<dimension ref="A1:C3"/><cols><col min="4" max="4" style="2"/></cols>',
    tail: '<conditionalFormatting sqref="A1"><!-- kept --></conditionalFormatting>',
  })
  const change = changeOf({
    1: [
      { column: 0, value: 'Article' },
      { column: 3, value: 2.5 },
    ],
    2: [{ column: 0, value: true }],
    3: [
      { column: 0, value: 45_000 },
      { column: 1, value: 'new' },
      { column: 2, value: null },
    ],
    5: [
      { column: 0, value: 1 },
      { column: 3, value: 1.5 },
    ],
  })
  const { out, text, changed } = await patched(parts, change)
  expect(changed).toEqual(['xl/workbook.xml', SHEET])
  expect(text(SHEET)).toContain('<dimension ref="A1:D5"/><cols><col min="4" max="4" style="2"/></cols>')
  expect(text(SHEET)).toContain('<conditionalFormatting sqref="A1"><!-- kept --></conditionalFormatting>')
  expect(text(SHEET)).toContain('<row r="3" ht="30"><c r="A3" s="1"><v>45000</v></c>')
  expect(text(SHEET)).toContain('</c><extLst/></row>')
  expect(text('xl/workbook.xml')).toContain('<calcPr fullCalcOnLoad="1"/></workbook>')
  const workbook = await opened(out)
  expect([...(await cellsOf(workbook, 'Prices'))]).toEqual([
    [1, ['Article', 6, null, 2.5]],
    [2, [true]],
    [3, [45_000, 'new']],
    [5, [1, null, null, 1.5]],
  ])
  // A new row has the styles of the rows above it.
  expect((await formatsOf(workbook, 'Prices')).get(5)).toMatchObject([
    { type: 'DATE' },
    null,
    null,
    { type: 'NUMBER' },
  ])
  expect(read(await readFile(out), { dense: true }).Sheets.Prices?.['!data']?.[2]?.[0]?.v).toBe(45_000)
})

test('texts read back as they were written', async () => {
  const texts = [
    ...NASTY_TEXTS,
    '=1+1',
    '007',
    ' blanks ',
    'a\r\nb\rc\nd\te',
    '_x000D_',
    '\u0001',
    '<&>"',
    '😀',
    '#N/A',
  ]
  const { out } = await patched(workbookParts({ tabs: { Prices: '' } }), columnA(texts))
  const rows = await cellsOf(await opened(out), 'Prices')
  expect(texts.map((_, n) => rows.get(n + 1)?.[0] ?? '')).toEqual(texts)
})

test('a number format is added to the style of a cell, and only where it differs', async () => {
  const parts = workbookParts({ tabs: { Prices: CELLS }, styles: [0, 14] })
  const date = { type: 'DATE', pattern: 'yyyy-mm-dd' }
  const change = changeOf({
    1: [
      { column: 0, value: 45_000, format: date },
      { column: 1, value: 45_000, format: date },
    ],
    3: [
      { column: 0, value: 45_001, format: { type: 'DATE' } },
      { column: 2, value: 0.5, format: { type: 'PERCENT', pattern: '0%' } },
    ],
  })
  const { out, text, changed } = await patched(parts, change)
  expect(changed).toEqual(['xl/styles.xml', 'xl/workbook.xml', SHEET])
  expect(text('xl/styles.xml')).toContain(
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts>',
  )
  expect(text('xl/styles.xml')).toContain('<cellXfs count="5">')
  const workbook = await opened(out)
  expect((await cellsOf(workbook, 'Prices')).get(1)).toEqual([45_000, 45_000])
  expect([...(await formatsOf(workbook, 'Prices')).values()]).toEqual([
    [date, date],
    [{ type: 'DATE' }, null, { type: 'PERCENT', pattern: '0%' }],
  ])
})

test.each([
  ['1900', ''],
  ['1904', '<workbookPr date1904="1"/>'],
])('dates are written as days of the date system of %s', async (_name, properties) => {
  const dates = [1, 2, 60, 61, 45_000.5, -3]
  const cells = dates.map((_, n) => `<row r="${n + 1}"><c r="A${n + 1}" s="1"/></row>`).join('')
  const parts = workbookParts({ tabs: { Prices: cells }, styles: [0, 14], properties })
  const { out } = await patched(parts, columnA(dates))
  const rows = await cellsOf(await opened(out), 'Prices')
  expect([...rows.values()]).toEqual(dates.map((date) => [date]))
})

test('the calculation chain is dropped with its entries in the lists of parts', async () => {
  const parts = workbookParts({ tabs: { Prices: CELLS }, after: '<calcPr calcId="1"/><extLst/>' })
  const add = (part: string, before: string, xml: string) => ({
    [part]: String(parts[part]).replace(before, xml + before),
  })
  const { text, names } = await patched(
    {
      ...parts,
      ...add('[Content_Types].xml', '</Types>', '<Override PartName="/xl/calcChain.xml" ContentType="x"/>'),
      ...add(
        'xl/_rels/workbook.xml.rels',
        '</Relationships>',
        '<Relationship Id="c" Type="x/calcChain" Target="calcChain.xml"/>',
      ),
      'xl/calcChain.xml': '<calcChain/>',
    },
    columnA([1]),
  )
  expect(names).not.toContain('xl/calcChain.xml')
  expect(text('[Content_Types].xml') + text('xl/_rels/workbook.xml.rels')).not.toContain('calcChain')
  expect(text('xl/workbook.xml')).toContain('<calcPr calcId="1" fullCalcOnLoad="1"/><extLst/>')
})

const shared = (address: string, content: string) =>
  `<c r="${address}"><f t="shared" si="0"${content}</f><v>1</v></c>`

test('cells that share the formula of an overwritten cell get formulas of their own', async () => {
  const rows =
    `<row r="1"><c r="A1"><v>1</v></c>${shared('B1', ' ref="B1:C3">A1*$A$1+SUM(A:A)&amp;"A1"')}</row>` +
    `<row r="2">${shared('B2', '>')}</row><row r="3"><c r="C3"><f t="shared" si="0"/><v>1</v></c></row>`
  const change = changeOf({ 1: [{ column: 1, value: 5 }] })
  const { text } = await patched(workbookParts({ tabs: { Prices: rows } }), change)
  expect(text(SHEET)).toContain('<c r="B1"><v>5</v></c>')
  expect(text(SHEET)).toContain('<f>A2*$A$1+SUM(A:A)&amp;"A1"</f>')
  expect(text(SHEET)).toContain('<f>B3*$A$1+SUM(B:B)&amp;"A1"</f>')
})

const TABLE =
  '<table displayName="Articles" ref="A1:B3"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="SKU"/><tableColumn id="2" name="Price"/></tableColumns></table>'

const withTable = (table: string): Parts => ({
  ...workbookParts({
    tabs: { Prices: '<row r="1"><c r="A1" t="str"><v>SKU</v></c><c r="B1" t="str"><v>Price</v></c></row>' },
    tail: '<autoFilter ref="D1:E3"/>',
    after:
      '<definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0">Prices!$D$1:$E$3</definedName></definedNames>',
  }),
  'xl/worksheets/_rels/sheet1.xml.rels':
    '<Relationships><Relationship Id="a" Type="x/table" Target="../tables/table1.xml"/></Relationships>',
  'xl/tables/table1.xml': table,
})

test('a table and a filter that the rows fill grow with them, and the table is named after its headers', async () => {
  const row = (n: number) => [0, 3].map((column) => ({ column, value: `text ${n}` }))
  const change = changeOf({ 1: row(1), 2: row(2), 5: row(5) })
  const { text } = await patched(withTable(TABLE), change)
  expect(text('xl/tables/table1.xml')).toContain('ref="A1:B5"><autoFilter ref="A1:B5"/>')
  expect(text('xl/tables/table1.xml')).toContain(
    '<tableColumn id="1" name="text 1"/><tableColumn id="2" name="Price"/>',
  )
  expect(text(SHEET)).toContain('<autoFilter ref="D1:E5"/>')
  expect(text('xl/workbook.xml')).toContain('Prices!$D$1:$E$5</definedName>')
})

test('a table stays as it is if the rows end in it', async () => {
  const { changed } = await patched(withTable(TABLE), columnA(['SKU', 'a', 'b']))
  expect(changed).toEqual(['xl/workbook.xml', SHEET])
})

const ARRAY =
  '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>'
const MERGED = {
  tabs: { Prices: '<row r="1"><c r="A1"/></row>' },
  tail: '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
}

test.each([
  [
    'a part of an array formula',
    workbookParts({ tabs: { Prices: ARRAY } }),
    columnA([1]),
    /A1 in ‘Prices’ is part of an array formula/,
  ],
  [
    'a cell inside of merged cells',
    workbookParts(MERGED),
    columnA([1, 2]),
    /A2 is inside the merged cells A1:A2/,
  ],
  [
    'a totals row',
    withTable(TABLE.replace('ref="A1:B3"', 'ref="A1:B3" totalsRowCount="1"')),
    columnA([1, 2, 3]),
    /‘Articles’ has a totals row in row 3/,
  ],
  ['a header that is no text', withTable(TABLE), columnA([1]), /A1 is a header of the table ‘Articles’/],
  ['a header that another column has', withTable(TABLE), columnA(['price']), /B1 is a header of the table/],
  [
    'a text that is too long',
    workbookParts({ tabs: { Prices: '' } }),
    columnA(['x'.repeat(32_768)]),
    /32,768 characters/,
  ],
])('a change is refused and leaves no file: %s', async (_name, parts, change, message) => {
  const folder = await testFolder()
  const path = await packed(folder, parts)
  const out = join(folder, 'out.xlsx')
  const [tab = expect.fail()] = (await opened(path)).tabs
  await expect(patchTab(path, tab, change, out)).rejects.toMatchObject({
    name: 'OriginFailure',
    message: expect.stringMatching(message),
  })
  expect(existsSync(out)).toBe(false)
})

test('prefixes, quotes, comments and line ends of a sheet stay as they are', async () => {
  const parts = workbookParts({ tabs: { Prices: '' } })
  const rows = `\n  <x:row r='1'><!-- first --><x:c r='A1'><x:f t="shared" si="0" ref="A1:A2">B1</x:f><x:v>1</x:v></x:c></x:row>\n  <!-- between -->`
  const sheet = `<?xml version='1.0'?>\n<x:worksheet xmlns:x='${MAIN}'><x:sheetData>${rows}<x:row r='2'><x:c r='A2'><x:f t="shared" si="0"/><x:v>1</x:v></x:c></x:row>\n</x:sheetData></x:worksheet>`
  const prefixed = { ...parts, [SHEET]: sheet }
  const added = await patched(prefixed, changeOf({ 3: [{ column: 0, value: 'é' }] }))
  const cell = '<x:c r="A3" t="inlineStr"><x:is><x:t xml:space="preserve">é</x:t></x:is></x:c>'
  expect(added.text(SHEET)).toBe(
    sheet.replace('\n</x:sheetData>', `<x:row r="3">${cell}</x:row>\n</x:sheetData>`),
  )
  const changed = await patched(prefixed, changeOf({ 1: [{ column: 0, value: 5 }] }))
  expect(changed.text(SHEET)).toContain('<x:c r="A1"><x:v>5</x:v></x:c></x:row>\n  <!-- between -->')
  expect(changed.text(SHEET)).toContain("<x:c r='A2'><x:f>B2</x:f><x:v>1</x:v></x:c>")
})

test('rows and cells that are out of order are refused', async () => {
  const parts = workbookParts({ tabs: { Prices: CELLS } })
  const cell = (column: number) => ({ column, value: 1 })
  const area = { top: 0, left: 0, bottom: 2, right: 2 }
  for (const rows of [
    [
      { row: 2, cells: [cell(0)] },
      { row: 1, cells: [cell(0)] },
    ],
    [{ row: 1, cells: [cell(1), cell(0)] }],
    [{ row: 1_048_577, cells: [cell(0)] }],
    [{ row: 1, cells: [cell(16_384)] }],
  ])
    await expect(patched(parts, { area, rows: [rows] })).rejects.toThrow(RangeError)
})

test('a failing source of rows leaves no file, and an existing one is never overwritten', async () => {
  const folder = await testFolder()
  const path = await packed(folder, workbookParts({ tabs: { Prices: CELLS } }))
  const [tab = expect.fail()] = (await opened(path)).tabs
  const { area } = columnA([1])
  async function* failing() {
    yield [{ row: 1, cells: [{ column: 0, value: 1 }] }]
    throw new Error('The source failed')
  }
  const out = join(folder, 'out.xlsx')
  await expect(patchTab(path, tab, { area, rows: failing() }, out)).rejects.toThrow('The source failed')
  expect(existsSync(out)).toBe(false)
  const before = await readFile(path)
  await expect(patchTab(path, tab, columnA([1]), path)).rejects.toMatchObject({ code: 'EEXIST' })
  expect((await readFile(path)).equals(before)).toBe(true)
})

test('a new tab and a new workbook are opened by another reader', async () => {
  const folder = await testFolder()
  const path = await packed(folder, workbookParts({ tabs: { Prices: CELLS } }))
  const out = join(folder, 'out.xlsx')
  const created = join(folder, 'new.xlsx')
  const change = changeOf({
    1: [{ column: 0, value: 'SKU' }],
    2: [{ column: 0, value: 45_000, format: { type: 'DATE' } }],
  })
  await patchTab(path, { new_name: 'R & D' }, change, out)
  await createWorkbook('new.xlsx', 'R & D', change, created)
  for (const file of [out, created]) {
    expect([...(await cellsOf(await opened(file), 'R & D')).values()]).toEqual([['SKU'], [45_000]])
    const sheet = read(await readFile(file), { dense: true }).Sheets['R & D']?.['!data']
    expect(sheet?.map((row) => row[0]?.v)).toEqual(['SKU', 45_000])
  }
  expect((await opened(out)).tabs.map(({ name, id }) => [name, id])).toEqual([
    ['Prices', '5'],
    ['R & D', '6'],
  ])
  for (const name of ['prices', 'a/b', "'a", '', 'x'.repeat(32)])
    await expect(
      patchTab(path, { new_name: name }, change, join(folder, 'never.xlsx')),
    ).rejects.toMatchObject({
      kind: 'invalid',
    })
})
