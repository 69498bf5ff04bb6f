import { expect, test } from 'vitest'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import {
  cellsOf,
  formatsOf,
  opened,
  packed,
  rowsOf,
  workbookParts,
} from '../../../../../test/fixtures/workbooks.ts'

type Content = Parameters<typeof workbookParts>[0]

async function openedContent(content: Content) {
  return opened(await packed(await testFolder(), workbookParts(content)))
}

/** The cells of one row, as they are read. */
async function rowOf(cells: string, content: Omit<Content, 'tabs'> = {}) {
  const workbook = await openedContent({ ...content, tabs: { Prices: `<row r="1">${cells}</row>` } })
  return (await cellsOf(workbook, 'Prices')).get(1)
}

test('numbers keep all digits, and a text is never a number', async () => {
  const texts = '<si><t>007</t></si><si><t>1e3</t></si>'
  const cells =
    '<c r="A1"><v>0.1</v></c><c r="B1"><v>1234567890.12345</v></c><c r="C1"><v>-1.5E-300</v></c><c r="D1" t="s"><v>0</v></c><c r="E1" t="s"><v>1</v></c><c r="F1" t="str"><v>42</v></c>'
  expect(await rowOf(cells, { texts })).toEqual([0.1, 1234567890.12345, -1.5e-300, '007', '1e3', '42'])
})

test('booleans and errors', async () => {
  const cells = ['#N/A', '#DIV/0!', '#SPILL!', '#GETTING_DATA'].map((error) => `<c t="e"><v>${error}</v></c>`)
  expect(await rowOf(`<c t="b"><v>1</v></c><c t="b"><v>0</v></c>${cells.join('')}`)).toEqual([
    true,
    false,
    '#N/A',
    '#DIV/0!',
    '#ERROR!',
    'Loading...',
  ])
})

const DATES = { styles: [0, 14, 22, 46, 20] }

test('dates of both date systems are the same days; durations and times of day are not dates', async () => {
  const cells = (date: number) =>
    `<c s="1"><v>${date}</v></c><c s="2"><v>${date}.25</v></c><c s="3"><v>1.5</v></c><c s="4"><v>0.5</v></c><c><v>${date}</v></c>`
  expect(await rowOf(cells(45_000), DATES)).toEqual([45_000, 45_000.25, 1.5, 0.5, 45_000])
  const counted = { ...DATES, properties: '<workbookPr date1904="1"/>' }
  expect(await rowOf(cells(43_538), counted)).toEqual([45_000, 45_000.25, 1.5, 0.5, 43_538])
})

test('days before March 1900 are the days that Excel shows, although it counts a 29 February 1900', async () => {
  const cells = [0, 1, 59, 60, 61].map((day) => `<c s="1"><v>${day}</v></c>`).join('')
  // 1899-12-31, 1900-01-01, 1900-02-28, 1900-03-01 twice.
  expect(await rowOf(cells, DATES)).toEqual([1, 2, 60, 61, 61])
  expect(await rowOf('<c s="1"><v>-1</v></c><c s="3"><v>1</v></c>', DATES)).toEqual([0, 1])
})

test('dates as ISO 8601 are days, with a date format if their cell has none', async () => {
  const row =
    '<row r="1"><c t="d"><v>2021-01-01</v></c><c t="d"><v>2021-01-01T06:00:00</v></c><c t="d"><v>12:00:00</v></c><c t="d" s="1"><v>1899-12-29</v></c></row>'
  const workbook = await openedContent({ styles: [0, 15], tabs: { Prices: row } })
  expect((await cellsOf(workbook, 'Prices')).get(1)).toEqual([44_197, 44_197.25, 0.5, -1])
  expect((await formatsOf(workbook, 'Prices')).get(1)?.map((format) => format?.type)).toEqual([
    'DATE',
    'DATE_TIME',
    'TIME',
    'DATE',
  ])
})

test('number formats, own ones and those that have a number only', async () => {
  const own = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`
  const formats =
    own(164, '[$€-407] #,##0.00') +
    own(165, '&quot;CHF&quot; 0') +
    own(166, 'yyyy\\-mm\\-dd') +
    own(167, '[Red]General')
  const styles = [0, 9, 14, 44, 21, 46, 22, 11, 49, 164, 165, 166, 167, 31]
  const cells = styles.map((_, n) => `<c s="${n}"><v>1</v></c>`).join('')
  const workbook = await openedContent({ formats, styles, tabs: { Prices: `<row>${cells}</row>` } })
  expect((await formatsOf(workbook, 'Prices')).get(1)).toEqual([
    null,
    { type: 'PERCENT', pattern: '0%' },
    { type: 'DATE' },
    { type: 'CURRENCY', pattern: expect.stringContaining('"$"') },
    { type: 'TIME', pattern: 'h:mm:ss' },
    { type: 'TIME', pattern: '[h]:mm:ss' },
    { type: 'DATE_TIME', pattern: 'm/d/yyyy h:mm' },
    { type: 'SCIENTIFIC', pattern: '0.00E+00' },
    { type: 'TEXT', pattern: '@' },
    { type: 'CURRENCY', pattern: '[$€-407] #,##0.00' },
    { type: 'NUMBER', pattern: '"CHF" 0' },
    { type: 'DATE', pattern: 'yyyy\\-mm\\-dd' },
    null,
    { type: 'DATE' },
  ])
})

test('texts: rich, shared, inline, escaped, with blanks at the ends', async () => {
  const texts =
    '<si><r><t xml:space="preserve">two </t></r><r><rPr><b/></rPr><t>parts</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></si><si><t/></si><si><t xml:space="preserve"> kept </t></si><si><t> cut </t></si>'
  const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const shared = [0, 1, 2, 3].map((n) => `<c t="s"><v>${n}</v></c>`).join('')
  const cells =
    shared +
    inline('a_x000D_b&#10;c') +
    inline('_x005F_x000D_') +
    inline('<![CDATA[a < b]]>&amp;') +
    inline('_x0000__xD800_') +
    inline('&#x1F600;')
  expect(await rowOf(cells, { texts })).toEqual([
    'two parts',
    null,
    ' kept ',
    'cut',
    'a\rb\nc',
    '_x000D_',
    'a < b&',
    '\ufffd\ufffd',
    '😀',
  ])
})

test('formulas have their stored values, and say which they are', async () => {
  const row =
    '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>""</f><v></v></c><c r="C1" t="str"><f>"a"</f><v>a</v></c></row>'
  const workbook = await openedContent({ tabs: { Prices: row } })
  expect(await rowsOf(workbook, 'Prices')).toMatchObject([{ cells: [2, null, 'a'], formulas: [0, 1, 2] }])
})

test('a formula without a stored value is refused by its address, unless its column is not wanted', async () => {
  for (const formula of ['<f>1+1</f>', '<f>1+1</f><v></v>', '<f>1+1</f><v/>']) {
    const workbook = await openedContent({
      tabs: { Prices: `<row r="7"><c r="A7"><v>1</v></c><c r="B7">${formula}</c></row>` },
    })
    await expect(cellsOf(workbook, 'Prices')).rejects.toMatchObject({
      name: 'OriginFailure',
      kind: 'invalid',
      message: expect.stringMatching(/^B7 in ‘Prices’ is a formula without a stored value/),
    })
    expect(await rowsOf(workbook, 'Prices', { columns: 1 })).toMatchObject([{ cells: [1] }])
  }
})

test('merged cells have the value of their first cell only, as in Google Sheets', async () => {
  const rows = [1, 2, 3].map(
    (row) => `<row r="${row}">${[1, 2, 3].map((n) => `<c><v>${row}${n}</v></c>`).join('')}</row>`,
  )
  const tail = '<mergeCells count="2"><mergeCell ref="A1:B2"/><mergeCell ref="C2:C3"/></mergeCells>'
  const workbook = await openedContent({ tabs: { Prices: rows.join('') }, tail })
  expect([...(await cellsOf(workbook, 'Prices')).values()]).toEqual([
    [11, null, 13],
    [null, null, 23],
    [31, 32],
  ])
})

test('hidden rows are read and say so; rows and cells may leave out their addresses', async () => {
  const rows =
    '<row><c><v>1</v></c></row><row hidden="1"><c><v>2</v></c></row><row r="9"><c r="C9"><v>3</v></c><c><v>4</v></c></row>'
  const workbook = await openedContent({ tabs: { Prices: rows } })
  expect(await rowsOf(workbook, 'Prices')).toMatchObject([
    { row: 1, cells: [1], isHidden: false },
    { row: 2, cells: [2], isHidden: true },
    { row: 9, cells: [null, null, 3, 4], isHidden: false },
  ])
})

test('tabs, names and tables', async () => {
  const parts = workbookParts({
    tabs: { 'Price list': '', Hidden: '' },
    head: '<dimension ref="B2:D40"/>',
    after:
      '<definedNames><definedName name="Prices">\'Price list\'!$A$1:$C$20</definedName><definedName name="Sum" localSheetId="1">SUM(Hidden!A1)</definedName></definedNames>',
  })
  const path = await packed(await testFolder(), {
    ...parts,
    'xl/workbook.xml': String(parts['xl/workbook.xml']).replace(
      'name="Hidden"',
      'name="Hidden" state="hidden"',
    ),
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships><Relationship Id="a" Type="http://x/table" Target="/xl/tables/table1.xml"/></Relationships>',
    'xl/tables/table1.xml': '<table displayName="Articles" ref="A1:C9" totalsRowCount="1"/>',
  })
  const workbook = await opened(path)
  expect(workbook.tabs).toMatchObject([
    { name: 'Price list', id: '5', isHidden: false, isGrid: true },
    { name: 'Hidden', id: '6', isHidden: true, isGrid: true },
  ])
  expect(workbook.names).toEqual([
    { name: 'Prices', scope: null, tab: 'Price list', area: { top: 0, left: 0, bottom: 19, right: 2 } },
    { name: 'Sum', scope: 'Hidden', tab: null, area: null },
  ])
  expect(workbook.tables).toMatchObject([
    { name: 'Articles', tab: 'Price list', hasHeader: true, hasTotals: true, area: { bottom: 8, right: 2 } },
  ])
  expect(await workbook.statedArea(workbook.tabs[0] ?? expect.fail())).toEqual({
    top: 1,
    left: 1,
    bottom: 39,
    right: 3,
  })
})

test('prefixes, quotes and blanks in tags, and UTF-16, are read like any XML', async () => {
  const parts = workbookParts({ tabs: { Prices: '' } })
  const sheet = `<?xml version='1.0'?><!-- <c> --><x:worksheet xmlns:x="m"><x:sheetData>\n<x:row\tr = '3' note="a>b"><x:c  s='0'\nr='B3' t = "str"><x:v>é &gt; e</x:v></x:c></x:row></x:sheetData></x:worksheet>`
  for (const content of [sheet, Buffer.from(`\ufeff${sheet}`, 'utf16le')]) {
    const path = await packed(await testFolder(), { ...parts, 'xl/worksheets/sheet1.xml': content })
    expect((await cellsOf(await opened(path), 'Prices')).get(3)).toEqual([null, 'é > e'])
  }
})
