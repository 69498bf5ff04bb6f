import { expect, test } from 'vitest'
import { Row } from './model/grid.ts'
import { recentJson } from './values/recent-json.ts'

const block = { startRow: 1, endRow: 3, startColumn: 0, endColumn: 2 }
const place = { spreadsheetId: 'book', sheetId: 0, block }
const rows = [new Row(['header'], null, {}), new Row(['a', 1], null, {}), undefined]

/** Cached text of the rows, or `made` if it is not cached. */
const read = (of: readonly (Row | undefined)[], at = place, made = 'made again') =>
  recentJson(at, of, () => Buffer.from(made)).toString()

test('serialized rows are reused while their cell lists are identical', () => {
  expect(read(rows, place, 'made')).toBe('made')
  expect(read(rows)).toBe('made')
  const [header, row] = rows
  const formatted = new Row(row?.cells ?? [], [1], {})
  expect(read([new Row(['other'], null, {}), formatted, undefined])).toBe('made')
  expect(read([header, new Row(['a', 1], null, {}), undefined])).toBe('made again')
})

test('serialized rows are not reused for other rows', () => {
  read(rows, place, 'made')
  for (const other of [
    { ...place, spreadsheetId: 'other' },
    { ...place, sheetId: 1 },
    { ...place, block: { ...block, endColumn: 1 } },
  ])
    expect(read(rows, other, 'another')).toBe('another')
  expect(read([...rows.slice(0, 2), new Row(['more'], null, {})], place, 'with more')).toBe('with more')
})
