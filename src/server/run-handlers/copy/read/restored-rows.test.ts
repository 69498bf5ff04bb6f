import { describe, expect, test } from 'vitest'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { type Restore, restoredRows } from './restored-rows.ts'

const HEADER = ['SKU', 'Note', 'Stock']
const columns = [0, 2].map((column) => ({ version: column, written: column, now: column }))

const table = (...rows: Row[]) => ({
  length: rows.length,
  row: (number: number): Row => (number === 0 ? HEADER : (rows[number - 1] ?? [])),
})

/** Rows as SKU, note of another editor, and stock; the SKU is the key. */
type Case = {
  version: Row[]
  written: Row[]
  now: Row[]
  changes?: Record<string, number>
  unchanged?: string[]
  keepsEdits?: boolean
  isKeyless?: boolean
  isByPlace?: boolean
}

function restored({
  version,
  written,
  now,
  changes,
  unchanged = [],
  keepsEdits = true,
  isKeyless = false,
  isByPlace = false,
}: Case) {
  const keyOf = (_side: string, row: Row) => {
    const key = isKeyless ? [row[0] ?? null, row[2] ?? null] : [row[0] ?? null]
    return key.every((cell) => cell === null) ? null : key.join(' ')
  }
  const all = [...version, ...written].map((row) => [keyOf('', row), 0] as const)
  const restore: Restore = {
    ...{ version: table(...version), written: table(...written), now: table(...now) },
    ...{ columns, keepsEdits, isByPlace },
    keys: isKeyless || isByPlace ? [] : columns.slice(0, 1),
    keyOf,
    unchanged: new Set(unchanged),
    changes: new Map(changes ? Object.entries(changes) : all.map(([key, times]) => [key ?? '', times])),
  }
  const { changed, kept, deleted, whole } = restoredRows(restore)
  const length = Math.max(now.length, ...changed.keys())
  const rows = Array.from({ length }, (_, index) => changed.get(index + 1) ?? now[index] ?? [])
  return { rows, kept, deleted, whole: [...whole] }
}

const row = (sku: CellValue, stock: CellValue, note: CellValue = null): Row => [sku, note, stock]

describe('in a target whose rows are matched,', () => {
  test('rows get their cells where they stand now, and notes stay beside them', () => {
    const { rows, kept } = restored({
      version: [row('a', 1), row('b', 2)],
      written: [row('a', 10), row('b', 20)],
      now: [row('b', 20, 'of b'), row('a', 10, 'of a')],
    })
    expect(rows).toEqual([row('b', 2, 'of b'), row('a', 1, 'of a')])
    expect(kept).toEqual([])
  })

  test('an edited cell keeps its value, and is named, unless edits are restored, too', () => {
    const three = { version: [row('a', 1)], written: [row('a', 10)], now: [row('a', 99)] }
    expect(restored(three)).toMatchObject({ rows: [row('a', 99)], kept: [{ row: 1, column: 2 }] })
    expect(restored({ ...three, keepsEdits: false })).toMatchObject({ rows: [row('a', 1)], kept: [] })
  })

  test('a row that runs have never changed stays as it is', () => {
    const three = { version: [row('mine', 1)], written: [row('mine', 5)], now: [row('mine', 5)] }
    expect(restored({ ...three, changes: {} }).rows).toEqual([row('mine', 5)])
  })

  test('in a row that runs have not changed since, all differences are edits', () => {
    const three = { version: [row('a', 1)], written: [row('a', 5)], now: [row('a', 5)] }
    const kept = restored({ ...three, changes: {}, unchanged: ['a'] })
    expect(kept).toMatchObject({ rows: [row('a', 5)], kept: [{ row: 1, column: 2 }] })
    const overwritten = restored({ ...three, changes: {}, unchanged: ['a'], keepsEdits: false })
    expect(overwritten.rows).toEqual([row('a', 1)])
  })

  test('a row that was added since is cleared, and what stands beside it stays', () => {
    const { rows, whole } = restored({
      version: [row('a', 1)],
      written: [row('a', 1), row('new', 2)],
      now: [row('a', 1), row('new', 2, 'a note')],
    })
    expect(rows).toEqual([row('a', 1), row(null, null, 'a note')])
    expect(whole).toEqual([2])
  })

  test('a row that was added since and edited stays', () => {
    const added = { version: [], written: [row('new', 2)], now: [row('new', 3)] }
    expect(restored(added)).toMatchObject({ rows: [row('new', 3)], kept: [{ row: 1, column: 2 }] })
    expect(restored({ ...added, keepsEdits: false }).rows).toEqual([row(null, null)])
  })

  test('a row that others added stays', () => {
    const { rows } = restored({ version: [], written: [], now: [row('theirs', 2)] })
    expect(rows).toEqual([row('theirs', 2)])
  })

  test('a row that was cleared comes back in its place', () => {
    const { rows, whole } = restored({
      version: [row('a', 1, 'of a'), row('b', 2)],
      written: [row(null, null, 'of a'), row('b', 2)],
      now: [row(null, null, 'of a'), row('b', 2)],
    })
    expect(rows).toEqual([row('a', 1, 'of a'), row('b', 2)])
    expect(whole).toEqual([1])
  })

  test('a row that was cleared comes back below all others if its place is another one now', () => {
    const { rows } = restored({
      version: [row('a', 1, 'of a'), row('b', 2)],
      written: [row(null, null, 'of a'), row('b', 2)],
      now: [row('b', 2), row(null, null, 'of a')],
    })
    expect(rows).toEqual([row('b', 2), row(null, null, 'of a'), row('a', 1)])
  })

  test('a row that others deleted stays deleted, and is counted', () => {
    const { rows, deleted } = restored({ version: [row('a', 1)], written: [row('a', 10)], now: [] })
    expect([rows, deleted]).toEqual([[], [1]])
  })

  test.each([
    { in: 'the target', now: [row('a', 10), row('a', 10)] },
    { in: 'the version', version: [row('a', 1), row('a', 2)] },
  ])('rows with a repeated key in $in stay', (repeated) => {
    const three = { version: [row('a', 1)], written: [row('a', 10)], now: [row('a', 10)], ...repeated }
    expect(restored(three).rows).toEqual(three.now)
  })

  test('without a key, as many equal rows are cleared as were added', () => {
    const rows = [row('a', 1, 'first'), row('a', 1), row('a', 1, 'third')]
    const { rows: left } = restored({
      ...{ version: rows.slice(0, 1), written: rows, now: rows, isKeyless: true },
      changes: { 'a 1': 1 },
    })
    expect(left).toEqual([row('a', 1, 'first'), row('a', 1), row(null, null, 'third')])
  })

  test('without a key, rows come back that an undo has cleared', () => {
    const three = { version: [row('a', 1), row('b', 2)], written: [row('a', 1)], now: [row('a', 1)] }
    expect(restored({ ...three, isKeyless: true, changes: { 'b 2': -1 } }).rows).toEqual(three.version)
  })

  test('where rows are replaced, cells are restored by place, beside the notes that stand there', () => {
    const { rows, kept } = restored({
      version: [row('a', 1), row('b', 2)],
      written: [row('b', 2), row('c', 3), row('d', 4)],
      now: [row('b', 2, 'first'), row('c', 30, 'second'), row('d', 4, 'third')],
      isByPlace: true,
    })
    expect(rows).toEqual([row('a', 1, 'first'), row('b', 30, 'second'), row(null, null, 'third')])
    expect(kept).toEqual([{ row: 2, column: 2 }])
  })
})
