import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null

async function compiled(task_id: number, changes: { overwrite?: boolean } = {}) {
  const handler = compileHandler(database)
  const engine = await startEngine(database, [
    {
      ...handler,
      snapshotDefinition: async (trx, ids) => {
        const definitions = await handler.snapshotDefinition(trx, ids)
        for (const task of definitions.values()) Object.assign(task.definition, changes)
        return definitions
      },
    },
  ])
  await engine.queueRun(task_id)
  const run = await runOf(database.db, task_id)
  await engine.stop()
  return run
}

test.each([63, 64, 65, 200])(
  'of %i records, some of them large, unchanged ones stay equal to the microsecond, and new ones of another source and field follow',
  async (count) => {
    const { db } = database
    const cells = (n: number): Cell[] => [
      `${n}`,
      n % 2 === 0 ? n / 4 : null,
      n % 50 === 7 ? 'x'.repeat(400_000) : 'y',
    ]
    const rows = Array.from({ length: count }, (_, n) => cells(n + 1))
    const source = await aSource(db, ['SKU', 'Price', 'Text'], rows)
    const config = await aMerge(db, [source])
    expect(await compiled(config.task_id)).toMatchObject({ state: 'success' })
    const before = await storedRecords(db, config.task_id)
    expect(before.rows.map(({ cells }) => cells)).toEqual(rows)
    const more = await aSource(
      db,
      ['Size', 'SKU'],
      [['L', '1'], ...Array.from({ length: 70 }, (_, n): Cell[] => [n, `new ${n}`])],
    )
    await db
      .insertInto('compiler_sources')
      .values({ compiler_config_id: config.id, source_task_id: more, position: 2, is_master: false })
      .execute()
    const times = async () => {
      const { rows: blocks } = await sql<{ first_row: number; times: string }>`
        select b.first_row, times::text from compiled_blocks b join tasks t on t.snapshot_id = b.snapshot_id
        where t.id = ${config.task_id} and first_row <= ${count} order by 1`.execute(db)
      return blocks
    }
    const earlier = await times()
    expect(await compiled(config.task_id, { overwrite: false })).toMatchObject({ state: 'success' })
    const after = await storedRecords(db, config.task_id)
    expect(after.rows.slice(0, count)).toEqual(
      before.rows.map((row) => ({ ...row, cells: [...row.cells], source_rows: [], before_row: Number.NaN })),
    )
    expect(await times()).toEqual(earlier)
    const added = after.rows.slice(count)
    expect(added.map(({ row_no, sku, cells }) => [row_no, sku, cells])).toEqual(
      Array.from({ length: 70 }, (_, n) => [count + n + 1, `new ${n}`, [`new ${n}`, null, null, n]]),
    )
    expect(added[3]).toMatchObject({ found_in: [1], field_sources: [0, 0, 2], source_rows: [0, 5] })
    // A later compile that overwrites changes the copied records, which lack the new field; the others are the same.
    expect(await compiled(config.task_id)).toMatchObject({
      receipt: { records: count + 70, added: 0, changed: count, gone: 0 },
    })
  },
)
