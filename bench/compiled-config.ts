import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'
import { aConfig, aSourceTask } from '../test/factories.ts'

const FIELDS = 20

/** A configuration of so many records of 20 fields from two sources, as a compile leaves it: one record in a hundred has an error, every second one a blank. */
export async function aCompiledConfig(to: Kysely<Database>, records: number) {
  const config = await aConfig(to)
  const sources = [(await aSourceTask(to)).id, (await aSourceTask(to)).id]
  await to
    .insertInto('compiler_sources')
    .values(
      sources.map((source_task_id, position) => ({
        ...{ compiler_config_id: config.id, source_task_id, position, is_master: position === 0 },
      })),
    )
    .execute()
  const columns = ['SKU', ...Array.from({ length: FIELDS }, (_, n) => `Field ${n + 1}`)]
  const { id } = await to
    .insertInto('snapshots')
    .values({
      ...{ task_id: config.task_id, kind: 'compiled', columns: JSON.stringify(columns), row_count: records },
      completed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const value = (field: number) =>
    field === 3
      ? sql`case when n % 2 = 0 then null else n end`
      : sql`'Text ' || (n * ${sql.lit(field)} % 9973)`
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${id}::int, n, jsonb_build_array('SKU-' || n, ${sql.join(columns.slice(1).map((_, n) => value(n + 1)))})
    from generate_series(1, ${records}::int) n`.execute(to)
  await sql`
    insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, source_rows, created_at, updated_at)
    select ${id}::int, n, 'SKU-' || n, array[case when n % 5 = 0 then 2 else 3 end], array[0],
      array[1, 2, case when n % 2 = 0 then 0 else 1 end] || array_fill(1 + n % 2, array[${FIELDS - 3}::int]), array[n, n],
      case when n % 50 = 0 then now() + interval '1 minute' else now() - interval '1 day' end, now() + interval '1 minute'
    from generate_series(1, ${records}::int) n`.execute(to)
  const set = (every: number) => {
    const bits = Buffer.alloc(Math.ceil(records / 8))
    for (let n = every - 1; n < records; n += every) bits[n >> 3] = (bits[n >> 3] ?? 0) | (1 << (n & 7))
    return bits
  }
  await to
    .insertInto('compiled_versions')
    .values({
      ...{
        snapshot_id: id,
        compiler_config_id: config.id,
        has_blanks: set(2),
        has_errors: set(100),
        is_duplicate: set(1000),
      },
      sources: JSON.stringify(sources.map((task_id) => ({ task_id, name: `Source ${task_id}` }))),
    })
    .execute()
  await to.updateTable('tasks').set({ snapshot_id: id }).where('id', '=', config.task_id).execute()
  await sql`vacuum analyze snapshot_rows, compiled_records`.execute(to)
  return { id: config.id, sources }
}
