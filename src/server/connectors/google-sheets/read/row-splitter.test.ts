import { describe, expect, it } from 'vitest'
import { GRID_DEPTH, RowSplitter } from './row-splitter.ts'

const rows = [
  ['SKU', 'Name', 'Price'],
  [],
  ['"quoted" \\', 'a]b[c', 1.5],
  ['Zoë 📚', true, -1e-7],
  ['line\nbreak', '', '{"x":[1]}'],
]

function split(text: string, sizes: number) {
  const splitter = new RowSplitter()
  const bytes = Buffer.from(text)
  const found: unknown[] = []
  for (let at = 0; at < bytes.length; at += sizes) {
    splitter.feed(bytes.subarray(at, at + sizes), { add: (row) => found.push(JSON.parse(row.toString())) })
  }
  return { rows: found, frame: splitter.frame }
}

it.each([1, 7, 10_000])('splits grid data as well, whatever other fields it has (%i bytes)', (size) => {
  const row = { values: [{ effectiveValue: { stringValue: 'a]}' } }, {}] }
  const properties = { sheetId: 1, gridProperties: { rowCount: 3 } }
  const criteria = { 0: { hiddenValues: ['x'], condition: { type: 'BLANK', values: [{ a: [1] }] } } }
  const sheet = { properties, data: [{ startRow: 2, rowData: [row, {}, row] }], basicFilter: { criteria } }
  const reply = { properties: { title: 'T' }, sheets: [sheet] }
  const splitter = new RowSplitter(GRID_DEPTH)
  const bytes = Buffer.from(JSON.stringify(reply))
  const found: unknown[] = []
  for (let at = 0; at < bytes.length; at += size)
    splitter.feed(bytes.subarray(at, at + size), { add: (each) => found.push(JSON.parse(each.toString())) })
  expect(found).toEqual([row, {}, row])
  const bare = { ...sheet, data: [{ startRow: 2, rowData: [] }] }
  expect(JSON.parse(splitter.frame)).toEqual({ ...reply, sheets: [bare] })
})

describe('splitting a values reply into rows', () => {
  const reply = { range: "'A [x]'!A1:C5", majorDimension: 'ROWS', values: rows }

  it.each([1, 2, 3, 7, 64, 10_000])(
    'returns every row, whatever the size of the pieces (%i bytes)',
    (size) => {
      for (const indent of [undefined, 2]) {
        const result = split(JSON.stringify(reply, null, indent), size)
        expect(result.rows).toEqual(rows)
        expect(JSON.parse(result.frame)).toEqual({ ...reply, values: [] })
      }
    },
  )

  it('returns no rows for a reply without values', () => {
    const empty = { range: 'S!A1:Z1000', majorDimension: 'ROWS' }
    const result = split(JSON.stringify(empty), 5)
    expect(result.rows).toEqual([])
    expect(JSON.parse(result.frame)).toEqual(empty)
  })

  it('returns only whole rows of a truncated reply, and a frame that does not parse', () => {
    const text = JSON.stringify(reply)
    for (let cut = 1; cut < text.length; cut += 1) {
      const result = split(text.slice(0, cut), 16)
      expect(result.rows).toEqual(rows.slice(0, result.rows.length))
      expect(() => JSON.parse(result.frame)).toThrow()
    }
  })
})
