import { beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import type { CellValue } from '../../contract/tables.ts'
import { TableFormats } from '../snapshots/column-format.ts'
import { RowSet } from '../snapshots/row-set.ts'
import { type ChangeCounts, findRowChanges, type RowChange } from './row-changes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

type Table = CellValue[][]

/** Stores data rows as a version. */
async function stored(rows: Table): Promise<{ id: number; row_count: number }> {
  const { db } = database
  const { id } = await db
    .insertInto('snapshots')
    .values({ kind: 'copy' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = rows.map((cells, n) => ({
    snapshot_id: id,
    row_no: n + 1,
    cells: JSON.stringify(cells.map((cell) => cell ?? '')),
  }))
  if (values.length > 0) await db.insertInto('snapshot_rows').values(values).execute()
  return { id, row_count: rows.length }
}

async function changesBetween(
  former: Table,
  wanted: Table,
  key_column: number | null = null,
  formats = new TableFormats([]),
): Promise<{ counts: ChangeCounts; changes: RowChange[] }> {
  const changes: RowChange[] = []
  const rows = Array.from({ length: Math.max(former.length, wanted.length) }, (_, n) => n + 1)
  const differing = rows.filter((row) => !isEqual(former[row - 1], wanted[row - 1]))
  const tables = { former: await stored(former), wanted: await stored(wanted) }
  const counts = await findRowChanges(
    database.db,
    { ...tables, differing: RowSet.from(differing), key_column, formats },
    async (page) => void changes.push(...page),
  )
  return { counts, changes }
}

const trimmed = (row: CellValue[] = []) => {
  const cells = row.map((cell) => (cell === '' ? null : cell))
  while (cells.length > 0 && cells.at(-1) === null) cells.pop()
  return cells
}
const isEqual = (one?: CellValue[], other?: CellValue[]) =>
  JSON.stringify(trimmed(one)) === JSON.stringify(trimmed(other))

const kinds = (changes: RowChange[]) => changes.map(({ kind, old_row, new_row }) => [kind, old_row, new_row])

describe('what happened to the rows', () => {
  const table = [
    ['A', 'Apple', 1],
    ['B', 'Pear', 2],
    ['C', 'Plum', 3],
  ]

  test('a row inserted at the top moves the others', async () => {
    const { changes } = await changesBetween(table, [['N', 'New', 9], ...table])
    expect(kinds(changes)).toEqual([
      ['added', null, 1],
      ['moved', 1, 2],
      ['moved', 2, 3],
      ['moved', 3, 4],
    ])
  })

  test('a row that moves and changes is the same row behind the one before it', async () => {
    const { changes, counts } = await changesBetween(table, [
      ['N', 'New', 9],
      ['A', 'Apple', 1],
      ['B', 'Quince', 2],
      ['C', 'Plum', 3],
    ])
    expect(kinds(changes)).toContainEqual(['changed', 2, 3])
    expect(counts.cells).toBe(1)
  })

  test('another row in the same place is removed and added, not changed', async () => {
    const { changes } = await changesBetween(table, [...table.slice(0, 2), ['X', 'Other', 7]])
    expect(kinds(changes)).toEqual([
      ['removed', 3, null],
      ['added', null, 3],
    ])
  })

  test('keys are the same by the rule of SKUs, also a padded number and its text', async () => {
    const formats = new TableFormats([{ format: { type: 'NUMBER', pattern: '000' }, runs: null }])
    const wanted = [
      [9, 'New', 1],
      [7, 'All', 'new'],
      ['e\u0301', 'Other', 'too'],
    ]
    const former = [
      ['007 ', 'Apple', 1],
      ['\u00e9', 'Pear', 2],
    ]
    const { changes } = await changesBetween(former, wanted, 0, formats)
    expect(kinds(changes)).toEqual([
      ['added', null, 1],
      ['changed', 1, 2],
      ['changed', 2, 3],
    ])
  })

  test('a row keeps its identity if its key stays, wherever it is and whatever else changes', async () => {
    const wanted = [
      ['C', 'All', 'new'],
      ['A', 'Apple', 1],
      ['D', 'Pear', 2],
    ]
    const { changes } = await changesBetween(table, wanted, 0)
    expect(kinds(changes)).toEqual([
      ['changed', 3, 1],
      ['removed', 2, null],
      ['moved', 1, 2],
      ['added', null, 3],
    ])
  })

  test('of equal rows, one that is gone is removed', async () => {
    const { counts } = await changesBetween([['A'], ['A'], ['A']], [['A'], ['A']])
    expect(counts).toMatchObject({ removed: 1, added: 0, moved: 0, changed: 0 })
  })

  test('a blank row is no row', async () => {
    const { changes } = await changesBetween([['A'], [], ['B']], [['A'], ['B']])
    expect(kinds(changes)).toEqual([['moved', 3, 2]])
  })

  test('cells that lose their value are counted by column', async () => {
    const { counts } = await changesBetween(table, [
      ['A', null, 1],
      ['B', '', 2],
      ['C', 'Plum', null],
    ])
    expect([...counts.emptied]).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})

/** Numbers from 0 up to, not including, 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** A table, and one that some edits have made of it. */
function randomPair(seed: number): [Table, Table] {
  const next = random(seed)
  const upTo = (end: number) => Math.floor(next() * end)
  const row = (): CellValue[] =>
    Array.from({ length: 3 }, () => [null, 'a', 'b', 1, 2, true, '=A1'][upTo(7)] ?? null)
  const former = Array.from({ length: upTo(12) }, row)
  const wanted = structuredClone(former)
  for (let edits = upTo(6); edits > 0; edits -= 1) {
    const at = upTo(wanted.length + 1)
    const edit = upTo(4)
    if (edit === 0) wanted.splice(at, 0, row())
    else if (edit === 1) wanted.splice(at, 1)
    else if (edit === 2) wanted.splice(upTo(wanted.length), 0, ...wanted.splice(at, 1))
    else if (wanted[at]) wanted[at][upTo(3)] = [null, 'c', 3][upTo(3)] ?? null
  }
  return [former, wanted]
}

test('of 1,000 random pairs of tables, every row of both is accounted for once, and no row that exists elsewhere is removed', async () => {
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const [former, wanted] = randomPair(seed)
    const { changes, counts } = await changesBetween(former, wanted)
    const filled = (table: Table) =>
      table.flatMap((row, n) => (trimmed(row).length > 0 && !isEqual(former[n], wanted[n]) ? [n + 1] : []))
    const numbers = (side: 'old_row' | 'new_row') =>
      changes.flatMap((change) => change[side] ?? []).toSorted((one, other) => one - other)
    expect(numbers('old_row'), `seed ${seed}`).toEqual(filled(former))
    expect(numbers('new_row'), `seed ${seed}`).toEqual(filled(wanted))
    for (const { kind, old_row, new_row } of changes)
      if (kind === 'moved') {
        expect(isEqual(former[(old_row ?? 0) - 1], wanted[(new_row ?? 0) - 1]), `seed ${seed}`).toBe(true)
        expect(old_row, `seed ${seed}`).not.toBe(new_row)
      }
    const added = changes
      .filter(({ kind }) => kind === 'added')
      .map(({ new_row }) => wanted[(new_row ?? 0) - 1])
    const removed = changes
      .filter(({ kind }) => kind === 'removed')
      .map(({ old_row }) => former[(old_row ?? 0) - 1])
    expect(
      removed.filter((row) => added.some((other) => isEqual(row, other))),
      `seed ${seed}`,
    ).toEqual([])
    const { removed: gone, changed, added: come, moved } = counts
    expect(gone + changed + come + moved, `seed ${seed}`).toBe(changes.length)
  }
}, 120_000)
