import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replacedTable } from '../../../../contract/rows/write-settings.ts'
import type { Row } from '../../../../contract/tables.ts'
import { rowText } from '../../../connectors/row-json.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { keyReader } from '../../../snapshots/row-key.ts'
import { placeColumns } from './column-places.ts'
import { markText } from './mark-text.ts'
import { alikeRows, clearedRow, markedRow, newRow, updatedRow } from './merge-row.ts'
import { rowsToPutBack } from './put-back.ts'
import { hashOf, RowCounts } from './written-rows.ts'

const titles = { source: 'the source', target: 'the target' }
const settings = { ...replacedTable, key_columns: [] as string[] }
const byHeader = { ...settings, find_columns_by_header: true }

test.each<[string, Row, Row, number[], Row]>([
  ['a blank target gets the columns in their order', ['A', 'B'], [], [0, 1], ['A', 'B']],
  ['columns are found where they stand', ['A', 'B'], ['x', 'B', 'A'], [2, 1], ['x', 'B', 'A']],
  ['missing ones are added at the right', ['A', 'C', 'D'], ['A', 'B'], [0, 2, 3], ['A', 'B', 'C', 'D']],
  ['names are compared trimmed', ['A '], ['x', ' A'], [1], ['x', 'A ']],
  ['columns behind the last one of the task are left out', ['A'], ['A', 'B', 'C'], [0], ['A']],
])('%s', (_what, copied, held, placeOf, header) => {
  expect(placeColumns(copied, held, byHeader, titles)).toEqual({ placeOf, keys: [], mark: null, header })
})

test.each<[string, Row, Row, object, RegExp]>([
  ['a repeated column of the target', ['A'], ['A', 'A'], {}, /the target has two columns ‘A’/],
  ['a missing key column', ['SKU'], [], { key_columns: ['SKO'] }, /the source has no column ‘SKO’.*‘SKU’/],
  ['a repeated key column', ['A', 'A'], [], { key_columns: ['A'] }, /the source has two columns ‘A’/],
])('%s is named', (_what, copied, held, more, message) => {
  expect(() => placeColumns(copied, held, { ...byHeader, write_mode: 'update', ...more }, titles)).toThrow(
    message,
  )
})

test('a mark stands in its column, or in a new one behind all others', () => {
  const marking = { ...settings, write_mode: 'update', on_missing: 'mark', mark_column: 'State' } as const
  expect(placeColumns(['A'], ['A', 'Note', 'State'], marking, titles)).toMatchObject({
    mark: 2,
    header: ['A', 'Note', 'State'],
  })
  expect(placeColumns(['A'], ['A', 'Note'], marking, titles)).toMatchObject({
    mark: 2,
    header: ['A', 'Note', 'State'],
  })
})

const merge = {
  ...{ placeOf: [0, 2], keys: [0], mark: 3, selfChanging: new Set<number>() },
  isMark: (cell: unknown) => cell === 'gone',
}

test('a known row gets the cells of the copy, keeps its key and other cells, and loses its mark', () => {
  expect(updatedRow(['007 ', 'note', 1], ['007', 2], merge)).toEqual(['007 ', 'note', 2])
  expect(updatedRow(['007', 'note', 1, 'gone'], ['007', 1], merge)).toEqual(['007', 'note', 1])
  const held: Row = ['007 ', 'note', 1, 'mine']
  expect(updatedRow(held, ['007', 1], merge)).toBe(held)
})

const row = fc
  .array(fc.constantFrom(null, 1, 12, 'a', '1', 'gone', '#N/A', '"'), { maxLength: 4 })
  .map((cells) => cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1))

test('a row with the bytes of the copy’s row is one that an update leaves as it is', () => {
  fc.assert(
    fc.property(row, row, fc.constantFrom(null, 1, 2, 3), fc.boolean(), (copied, more, mark, isMoved) => {
      const places = { ...merge, placeOf: isMoved ? [1, 0] : [0, 1], mark }
      const held = [...copied, ...more]
      const isAlike = alikeRows(places)
      if (isAlike(Buffer.from(rowText(held)), Buffer.from(rowText(copied))))
        expect(updatedRow(held, copied, places)).toBe(held)
    }),
  )
  const bytes = (cells: Row) => Buffer.from(rowText(cells))
  const isAlike = alikeRows({ placeOf: [0, 1], mark: null })
  expect(isAlike(bytes(['007', 1]), bytes(['007', 1]))).toBe(true)
  expect(isAlike(bytes(['007', 1, 'note']), bytes(['007', 1]))).toBe(true)
  expect(isAlike(bytes(['007', 12]), bytes(['007', 1]))).toBe(false)
  expect(isAlike(bytes(['007', 1]), bytes(['007']))).toBe(false)
})

test('a cell that changes with each run alone is no reason to write a row', () => {
  const held: Row = ['007', null, 1]
  expect(updatedRow(held, ['007', 2], { ...merge, selfChanging: new Set([1]) })).toBe(held)
})

test('rows are added, cleared and marked in the cells of the task alone', () => {
  expect(newRow([null, 'prepared'], ['007', 5], merge)).toEqual(['007', 'prepared', 5])
  expect(clearedRow(['007', 'note', 5], merge)).toEqual([null, 'note'])
  expect(markedRow(['007'], 'gone', merge)).toEqual(['007', null, null, 'gone'])
  const mine: Row = ['007', null, null, 'mine']
  expect(markedRow(mine, 'gone', merge)).toBe(mine)
})

test('a mark of any day is known', () => {
  const { text, isMark } = markText('gone since {date}.', new Date('2026-03-01T23:30:00Z'), 'Europe/Berlin')
  expect(text).toBe('gone since 2026-03-02.')
  expect([text, 'gone since 2025-01-01.', 'gone since May.', 'mine'].map(isMark)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('keys are compared as SKUs are: trimmed, in Unicode form NFC, numbers as their format shows them', () => {
  const pads = new TableFormats([{ format: { type: 'NUMBER', pattern: '000' }, runs: null }])
  const plain = keyReader([{ column: 0, formatOf: 0 }], new TableFormats([]))
  const padded = keyReader([{ column: 0, formatOf: 0 }], pads)
  expect(plain([' a'])).toBe(plain(['a ']))
  expect(plain(['é'])).toBe(plain(['é'.normalize('NFD')]))
  expect(plain([7])).toBe(plain(['7']))
  expect(plain(['A'])).not.toBe(plain(['a']))
  expect(padded([7])).toBe(plain(['007']))
  expect([plain([]), plain([null, 'x'])]).toEqual([undefined, null])
})

test('counts of rows survive storage', () => {
  const counts = new RowCounts()
  for (const text of ['a', 'b', 'a']) counts.add(hashOf(text))
  const stored = RowCounts.parse(counts.stored)
  expect(['a', 'b', 'c'].map((text) => stored.of(hashOf(text)))).toEqual([2, 1, 0])
})

const rowsOf = (rows: Row[]) => ({ length: rows.length, row: (number: number) => rows[number - 1] ?? [] })

/** What is put back after a commit into two columns of which the first is the key. */
const putBack = (
  [before, wanted, now]: [Row[], Row[], Row[]],
  {
    others,
    isStaged = false,
    whole = [],
    restoring = [],
  }: { others: number[]; isStaged?: boolean; whole?: number[]; restoring?: number[] },
) =>
  rowsToPutBack({
    before: rowsOf(before),
    wanted: (number) => wanted[number - 1] ?? [],
    now: rowsOf(now),
    isOthers: (row) => others.includes(row),
    written: { columns: [0, 1], keys: [0], isWhole: (row) => whole.includes(row) },
    restoring: new Set(restoring),
    isStaged,
  })

test('of a commit that was never sent, no edit in a table that was sorted since is taken back', () => {
  const before: Row[] = [
    ['a', 1, 'note of a'],
    ['own', 2, 'note of own'],
  ]
  const now: Row[] = [
    ['own', 3, 'note of own'],
    ['a', 1, 'note of a'],
  ]
  const found = putBack(
    [
      before,
      [
        ['a', 9],
        ['own', 2],
      ],
      now,
    ],
    { others: [2], isStaged: true },
  )
  expect([found.cells, found.rows.size]).toEqual([[], 0])
})

test('a row that a commit was to restore gets its cells where it stands now, and is not lost if it was blank', () => {
  const before: Row[] = [
    ['a', 1, 'note of a'],
    ['own', 9, 'note of own'],
    [null, null],
    ['b', 3, 'note of b'],
  ]
  const wanted: Row[] = [
    ['a', 5],
    ['own', 2],
    ['mine', 4],
    ['b', 6],
  ]
  const now: Row[] = [
    ['own', 5, 'note of own'],
    ['b', 2, 'note of b'],
    ['mine', 4, 'note of a'],
    [null, 6],
  ]
  const { rows, cells } = putBack([before, wanted, now], { others: [2, 3], whole: [3], restoring: [2, 3] })
  expect([...rows].map(([row, { cells }]) => [row, cells.slice(0, 2)])).toEqual([
    [1, ['own', 2]],
    [2, ['b', 3]],
    [3, ['a', 1]],
    [4, [null, null]],
    [5, ['mine', 4]],
  ])
  expect(cells).toEqual([
    { row: 1, column: 1 },
    { row: 4, column: 1 },
    { row: 5, column: 0 },
    { row: 5, column: 1 },
  ])
})

test('thousands of rows that were cleared and have no other cells are put back without comparing each with all', () => {
  const rows = 4_000
  const isCleared = (row: number) => row <= rows / 2
  const before = Array.from({ length: rows }, (_, row): Row => [`S${row}`, row])
  const now = before.toReversed().map((row, index): Row => (isCleared(index + 1) ? [] : row))
  let read = 0
  const { rows: found } = rowsToPutBack({
    before: {
      length: rows,
      row: (number) => {
        read += 1
        return before[number - 1] ?? []
      },
    },
    wanted: (number) => (isCleared(number) ? [] : (before[number - 1] ?? [])),
    now: rowsOf(now),
    isOthers: () => false,
    written: { columns: [0, 1], keys: [0], isWhole: isCleared },
    restoring: new Set(),
    isStaged: false,
  })
  expect(new Set([...found.values()].map(({ cells }) => cells[0]))).toEqual(
    new Set(before.slice(rows / 2).map(([key]) => key)),
  )
  expect(read).toBeLessThan(rows * 100)
})

test.each([
  ['cells', false],
  ['staged rows', true],
])('a row of another editor that %s were written over is found by its other cells', (_what, isStaged) => {
  const before: Row[] = [
    ['a', 1, 'note of a'],
    ['own', 2, 'note of own'],
  ]
  const wanted: Row[] = [
    ['a', 9],
    ['own', 2],
  ]
  const now: Row[] = [
    ['own', 9, 'note of own'],
    ['a', 1, 'note of a'],
  ]
  const found = putBack([before, wanted, now], { others: [2], isStaged })
  expect(found.cells).toEqual([{ row: 1, column: 1 }])
  expect([...found.rows]).toEqual([[1, { cells: ['own', 2, 'note of own'], before: 2 }]])
})

test.each([
  ['of another editor', [2]],
  ['of the task', []],
])(
  'a row %s that was cleared in the place of a missing one is found, because it is nowhere else',
  (_whose, others) => {
    const before: Row[] = [
      ['gone', 1],
      ['kept', 2],
      ['b', 3],
    ]
    const found = putBack([before, [[], ['kept', 2], ['b', 3]], [[], ['gone', 1], ['b', 3]]], {
      ...{ others, whole: [1] },
    })
    expect([...found.rows]).toEqual([[1, { cells: ['kept', 2], before: 2 }]])
    expect(found.cells).toEqual(others.length > 0 ? [0, 1].map((column) => ({ row: 1, column })) : [])
  },
)

test('of two rows that fit a place, the one that is nowhere else stood there', () => {
  const gone: Row = ['gone', 1, 'same']
  const b: Row = ['b', 2, 'same']
  const c: Row = ['c', 3, 'same']
  const found = putBack(
    [
      [gone, b, c],
      [[], b, c],
      [[null, null, 'same'], b, gone],
    ],
    { others: [3], whole: [1] },
  )
  expect([...found.rows]).toEqual([[1, { cells: c, before: 3 }]])
})

test('a missing row that moved to where a row was updated does not hide the row that was cleared in its place', () => {
  const before: Row[] = [
    ['gone', 1],
    ['a', 2],
    ['own', 3],
  ]
  const wanted: Row[] = [[], ['a', 9], ['own', 3]]
  const now: Row[] = [[], ['gone', 9], ['a', 2]]
  const found = putBack([before, wanted, now], { others: [3], whole: [1] })
  expect([...found.rows]).toEqual([
    [2, { cells: ['gone', 1], before: 1 }],
    [1, { cells: ['own', 3], before: 3 }],
  ])
})

test('a row beside a formula is found though its result has changed', () => {
  const before: Row[] = [
    ['gone', 1, 'x', 1],
    ['kept', 2, 'y', 2],
    ['b', 3, 'z', 3],
  ]
  const wanted: Row[] = [[], ['kept', 2], ['b', 3]]
  const now: Row[] = [
    [null, null, 'y', 0],
    ['b', 3, 'z', 4],
    ['gone', 1, 'x', 9],
  ]
  const found = putBack([before, wanted, now], { others: [2], whole: [1] })
  expect([...found.rows]).toEqual([[1, { cells: ['kept', 2, 'y', 0], before: 2 }]])
})

test('rows that stay where they were are left alone, whoever edits beside the commit', () => {
  const before: Row[] = [
    ['a', 1],
    ['b', 2],
    ['gone', 3],
  ]
  const wanted: Row[] = [['a', 1], ['b', 9], []]
  const now: Row[] = [[null, 1], ['b', 9], [], ['new', 4]]
  for (const isStaged of [false, true])
    expect(putBack([before, wanted, now], { others: [1], isStaged, whole: [3] }).rows.size).toBe(0)
})

test('values that were written into a row that a person had just emptied are removed', () => {
  const found = putBack([[['a', 1]], [['a', 9]], [[null, 9]]], { others: [] })
  expect([...found.rows]).toEqual([[1, { cells: [null, null], before: 0 }]])
})
