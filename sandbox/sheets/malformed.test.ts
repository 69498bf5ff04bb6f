import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

const block = { sheetId: 0, startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 }
const rows = { sheetId: 0, dimension: 'ROWS', startIndex: 0, endIndex: 1 }
const cell = {
  userEnteredValue: { formulaValue: '=A1+SUM(B:B)' },
  userEnteredFormat: { numberFormat: { type: 'DATE', pattern: 'yyyy-mm-dd' }, textFormat: { bold: true } },
  note: 'x',
}
const fields = 'userEnteredValue,userEnteredFormat(numberFormat,textFormat.bold),note'
const properties = {
  sheetId: 0,
  title: 'T',
  index: 0,
  hidden: false,
  gridProperties: { rowCount: 9, columnCount: 9 },
}

/** A valid body for each call; tests change one part of it. */
const calls: readonly [method: string, path: string, body: unknown][] = [
  [
    'POST',
    '',
    {
      properties: { title: 'x' },
      sheets: [{ properties, data: [{ startRow: 1, rowData: [{ values: [cell] }] }] }],
    },
  ],
  [
    'PUT',
    '/ID/values/A1?valueInputOption=USER_ENTERED',
    { range: 'A1', majorDimension: 'ROWS', values: [['1/2', null, true, 4]] },
  ],
  ['POST', '/ID/values/A1:append?valueInputOption=RAW', { values: [['a', 1]] }],
  ['POST', '/ID/values:batchUpdate', { valueInputOption: 'RAW', data: [{ range: 'A1', values: [['a']] }] }],
  ['POST', '/ID/values:batchClear', { ranges: ['A1:B2'] }],
  [
    'POST',
    '/ID:getByDataFilter',
    { includeGridData: true, dataFilters: [{ gridRange: block }, { a1Range: 'A1' }] },
  ],
  ...[
    {
      updateSpreadsheetProperties: {
        properties: { title: 'x', locale: 'de', timeZone: 'Etc/GMT' },
        fields: 'title,locale',
      },
    },
    { addSheet: { properties: { ...properties, sheetId: 5, tabColorStyle: { rgbColor: { red: 0.3 } } } } },
    { deleteSheet: { sheetId: 0 } },
    { duplicateSheet: { sourceSheetId: 0, insertSheetIndex: 1, newSheetId: 9, newSheetName: 'n' } },
    {
      updateSheetProperties: {
        properties,
        fields: 'title,index,hidden,gridProperties(rowCount,columnCount)',
      },
    },
    { appendDimension: { sheetId: 0, dimension: 'COLUMNS', length: 2 } },
    { insertDimension: { range: rows, inheritFromBefore: false } },
    { deleteDimension: { range: rows } },
    {
      copyPaste: {
        source: block,
        destination: block,
        pasteType: 'PASTE_NORMAL',
        pasteOrientation: 'TRANSPOSE',
      },
    },
    {
      cutPaste: {
        source: block,
        destination: { sheetId: 0, rowIndex: 1, columnIndex: 1 },
        pasteType: 'PASTE_VALUES',
      },
    },
    {
      updateCells: { rows: [{ values: [cell] }], fields, start: { sheetId: 0, rowIndex: 1, columnIndex: 1 } },
    },
    { updateCells: { rows: [{ values: [cell] }], fields, range: block } },
    { repeatCell: { range: block, cell, fields } },
    {
      setBasicFilter: {
        filter: {
          range: block,
          criteria: {
            0: { hiddenValues: ['x'], condition: { type: 'TEXT_EQ', values: [{ userEnteredValue: 'x' }] } },
          },
          sortSpecs: [{ dimensionIndex: 1, sortOrder: 'ASCENDING' }],
        },
      },
    },
    { setBasicFilter: { filter: { range: block, filterSpecs: [{ columnIndex: 1, filterCriteria: {} }] } } },
    { addFilterView: { filter: { filterViewId: 3, title: 'v', range: block, criteria: { 1: {} } } } },
    { updateFilterView: { filter: { filterViewId: 3, title: 'w', range: block }, fields: 'title,range' } },
    {
      addProtectedRange: {
        protectedRange: {
          protectedRangeId: 4,
          range: block,
          editors: { users: ['a@example.com'], groups: [] },
        },
      },
    },
    {
      addProtectedRange: {
        protectedRange: { range: { sheetId: 0 }, unprotectedRanges: [block], warningOnly: true },
      },
    },
    {
      setDataValidation: {
        range: block,
        rule: { condition: { type: 'BLANK', values: [{ userEnteredValue: '1' }] }, strict: true },
      },
    },
    { mergeCells: { range: block, mergeType: 'MERGE_ROWS' } },
    { insertRange: { range: block, shiftDimension: 'COLUMNS' } },
    { deleteRange: { range: block, shiftDimension: 'ROWS' } },
    { moveDimension: { source: rows, destinationIndex: 3 } },
    { sortRange: { range: block, sortSpecs: [{ dimensionIndex: 1, sortOrder: 'DESCENDING' }] } },
    {
      updateDimensionProperties: {
        range: rows,
        properties: { pixelSize: 3, hiddenByUser: true },
        fields: 'pixelSize,hiddenByUser',
      },
    },
    { autoResizeDimensions: { dimensions: rows } },
    { appendCells: { sheetId: 0, rows: [{ values: [cell] }], fields } },
    { addNamedRange: { namedRange: { namedRangeId: '1', name: 'N', range: block } } },
    {
      updateNamedRange: { namedRange: { namedRangeId: '1', name: 'M', range: block }, fields: 'name,range' },
    },
  ].map((request): [string, string, unknown] => ['POST', '/ID:batchUpdate', { requests: [request] }]),
]

const junk = fc.oneof(
  fc.constantFrom(
    null,
    '',
    'x',
    '*',
    '=',
    'a.b(',
    -1,
    0,
    1.5,
    1e9,
    1e308,
    true,
    [],
    {},
    [[]],
    [null],
    { x: 1 },
    '\u0000',
    '\ud800',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

test('any malformed body gets 200 or an error in Google’s format', async () => {
  const one = fc.record({ call: fc.constantFrom(...calls), place: fc.nat(10_000), junk })
  const check = async (spoilt: { call: (typeof calls)[number]; place: number; junk: unknown }) => {
    const [method, path, body] = spoilt.call
    const id = await sandbox.book(4, 4)
    const reply = await sandbox.call(method, path.replace('ID', id), spoil(body, spoilt.place, spoilt.junk))
    if (reply.status !== 200) {
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT' } } })
    }
    // Every accepted value can be read back.
    for (const view of [
      '?includeGridData=true',
      '/values/A1:D4',
      '/values/A1:D4?valueRenderOption=FORMULA',
    ]) {
      const read = await sandbox.call('GET', `/${id}${view}`)
      expect([200, 400]).toContain(read.status)
    }
  }
  await fc.assert(fc.asyncProperty(one, check), { numRuns: 250 })
})

/** The body with one part replaced, or extended. */
function spoil(body: unknown, number: number, instead: unknown): unknown {
  const places = placesOf(body, [])
  return replaced(body, places[number % places.length] ?? [], instead)
}

/** Paths of all parts of the JSON, and of one additional part per object and list. */
function placesOf(json: unknown, place: string[]): string[][] {
  if (typeof json !== 'object' || json === null) return [place]
  const inner = Object.entries(json).flatMap(([key, value]) => placesOf(value, [...place, key]))
  const one = Array.isArray(json) ? String(json.length) : 'extra'
  return [place, [...place, one], ...inner]
}

function replaced(json: unknown, [key, ...deeper]: string[], instead: unknown): unknown {
  if (key === undefined || typeof json !== 'object' || json === null) return instead
  const inner = replaced(Reflect.get(json, key), deeper, instead)
  return Array.isArray(json) ? json.toSpliced(Number(key), 1, inner) : { ...json, [key]: inner }
}
