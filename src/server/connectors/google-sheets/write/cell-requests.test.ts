import { expect, test } from 'vitest'
import { type CellChange, CellChanges } from '../../cell-changes.ts'
import { jsonBody } from '../client/json-body.ts'
import { ChangeSize, cellRequests, leastChangeBytes } from './cell-requests.ts'

const cell = (row: number, column: number, value: CellChange['value'] = 'x') => ({ row, column, value })
const requests = (cells: CellChange[]): unknown =>
  JSON.parse(jsonBody(['[', cellRequests(7, 2, CellChanges.of(cells)), ']']).toString())

function sizeOf(cells: CellChange[]): number {
  const size = new ChangeSize()
  for (const { row, column, value } of cells) size.add(row, column, Buffer.byteLength(JSON.stringify(value)))
  return size.bytes
}

test('cells beside and below each other are one request, which skips the rows between them', () => {
  const cells = [cell(1, 3, 'a'), cell(1, 4, 2), cell(2, 3, false), cell(5, 3, null)]
  expect(requests(cells)).toEqual([
    {
      updateCells: {
        start: { sheetId: 7, rowIndex: 3, columnIndex: 3 },
        rows: [
          {
            values: [{ userEnteredValue: { stringValue: 'a' } }, { userEnteredValue: { numberValue: 2 } }],
          },
          { values: [{ userEnteredValue: { boolValue: false } }] },
          {},
          {},
          { values: [{ userEnteredValue: {} }] },
        ],
        fields: 'userEnteredValue',
      },
    },
  ])
})

test('a change scattered over 10,000 rows is 20 requests; a cell a thousand rows further down is a separate request', () => {
  const cells = Array.from({ length: 10_000 }, (_, row) => cell(row, (row * 7) % 20))
  expect(requests(cells)).toHaveLength(20)
  expect(requests([...cells, cell(11_000, 3)])).toHaveLength(21)
})

test.each([
  ['close to each other', (n: number) => cell(n, (n * 7) % 20, `SKU-${n}`)],
  ['far from each other', (n: number) => cell(n * 90, n % 3, n / 8)],
  ['in rows of their own', (n: number) => cell(Math.floor(n / 20), n % 20, n % 2 === 0)],
])('the size of a change is known before it is serialized: cells %s', (_, cellAt) => {
  const cells = Array.from({ length: 2_000 }, (_, n) => cellAt(n))
  const body = JSON.stringify({ requests: requests(cells) })
  expect(sizeOf(cells) / body.length).toBeGreaterThan(0.95)
  expect(sizeOf(cells) / body.length).toBeLessThan(1.1)
})

test.each([
  [
    'full rows',
    [
      ['a', 1, true],
      ['b', 2, false],
    ],
  ],
  ['rows of blanks but for their last cell', Array.from({ length: 50 }, () => [...Array(30).fill(''), 'x'])],
  ['rows of long texts', Array.from({ length: 5 }, () => ['x'.repeat(900), '', 'y'.repeat(900)])],
  ['rows of different width', [[], ['a'], ['', '', '', 3], ['', 'b']]],
])('the least that a commit would have is never more than it has, for %s', (_, rows) => {
  const cells = rows.flatMap((values, row) =>
    values.flatMap((value, column) => (value === '' ? [] : [cell(row, column, value)])),
  )
  const page = {
    rows: rows.map((values, row) => ({ row, json: Buffer.from(JSON.stringify(values)) })),
    cells: cells.length,
    columns: Math.max(...rows.map(({ length }) => length)),
  }
  const least = leastChangeBytes(page)
  expect(least).toBeGreaterThan(0)
  expect(least).toBeLessThanOrEqual(sizeOf(cells))
})
