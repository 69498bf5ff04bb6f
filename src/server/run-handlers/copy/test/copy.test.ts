import { describe, expect, test } from 'vitest'
import { copyWorlds } from '../../../../../test/fakes/json-directory/world.ts'
import type { Db } from '../../../platform/db.ts'

/** A header row and the given number of rows with mixed values. */
function table(rows: number, columns: number, seed = 0): (string | number | boolean)[][] {
  const cell = (row: number, column: number) => {
    const n = row * columns + column + seed
    return n % 3 === 0 ? n / 8 : n % 3 === 1 ? `text ${n} “ü”` : n % 2 === 0
  }
  return [
    Array.from({ length: columns }, (_, column) => `Column ${column + 1}`),
    ...Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => cell(row, column)),
    ),
  ]
}

async function current(db: Db, task_id: number) {
  return db
    .selectFrom('tasks')
    .innerJoin('sync_tasks', 'sync_tasks.task_id', 'tasks.id')
    .leftJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
    .selectAll()
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
}

const products = [
  ['SKU', 'Name', 'Price', 'In stock', 'Note'],
  ['007', 'Bolt', 1.25, true, null],
  ['A-1', 'Größe "L"', -0.1, false, '=1+1'],
  ['1/2', ' padded ', 1e-7, true, "'quoted"],
  ['TRUE', 'line\nbreak', 9007199254740992, false, '2020-01-01'],
  [null, '📚 \u{10FFFD}', 43831.5, null, '+4'],
]

const worlds = copyWorlds()

describe.each(worlds)('a copy over %s', (_provider, world) => {
  test('brings more than twenty values of every type over as they are, in one small commit', async () => {
    const { source, target, task } = await world.pair(products)
    const run = await world.run(task)
    expect(run).toMatchObject({
      state: 'success',
      receipt: { mode: 'small', rows: 5, columns: 5, cells_changed: 27 },
    })
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    expect(run.receipt?.source_hash).toBe(run.receipt?.target_hash)
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('that finds nothing different makes no write', async () => {
    const { task } = await world.pair(products)
    await world.run(task)
    const again = await world.run(task)
    expect(again).toMatchObject({ state: 'success', receipt: { mode: 'unchanged', cells_changed: 0 } })
    expect(again.requests.write).toBe(0)
    expect(again.message).toMatch(/^Nothing differs: the target already holds these 5 rows x 5 columns/)
  })

  test('of more than one request can carry is staged and changes the target in one step', async () => {
    const { source, target, task } = await world.pair(table(4_000, 20), [
      ['Old', 'Header'],
      ...Array(30).fill(['old', 1]),
    ])
    const run = await world.run(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', rows: 4_000, columns: 20 } })
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('keeps what it copied as the task’s data, and the target’s former content as the image before it', async () => {
    const { task } = await world.pair(products, [
      ['SKU', 'Name'],
      ['007', 'Nut'],
      ['B-2', 'Washer'],
      ['C-3', 'Screw'],
    ])
    const run = await world.run(task)
    const after = await current(world.db, task)
    expect(after).toMatchObject({
      columns: ['SKU', 'Name', 'Price', 'In stock', 'Note'],
      row_count: 5,
      hash: run.receipt?.source_hash,
      source_ss_name: 'Catalogue',
      target_ss_name: 'Web shop',
      owned_columns: 5,
      owned_rows: 6,
    })
    const cells = async (id: number | null) => {
      const rows = await world.db
        .selectFrom('snapshot_rows')
        .select('cells')
        .where('snapshot_id', '=', id ?? 0)
        .orderBy('row_no')
        .execute()
      return rows.map((row) => row.cells)
    }
    expect(await cells(after.snapshot_id)).toEqual([
      ['007', 'Bolt', 1.25, true],
      ['A-1', 'Größe "L"', -0.1, false, '=1+1'],
      ['1/2', ' padded ', 1e-7, true, "'quoted"],
      ['TRUE', 'line\nbreak', 9007199254740992, false, '2020-01-01'],
      ['', '📚 \u{10FFFD}', 43831.5, '', '+4'],
    ])
    expect(await cells(after.before_snapshot_id)).toEqual([
      ['007', 'Nut'],
      ['B-2', 'Washer'],
      ['C-3', 'Screw'],
    ])
  })
})
