import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'
import { RECORDS_IN_BLOCK } from '../src/server/snapshots/record-blocks.ts'
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
  const bytes = (value: RawBuilder<unknown>) =>
    sql`string_agg(set_byte('\\x00'::bytea, 0, ${value}), '' order by n)`
  const lists = (values: RawBuilder<unknown>[]) => sql.join(values.map(bytes), sql` || `)
  const [one, two] = [sql`1`, sql`2`]
  await sql`
    insert into compiled_blocks (snapshot_id, first_row, skus, ends, cells, found, field_sources, source_rows, times, before_rows)
    select ${id}::int, first_row, array_agg('SKU-' || n order by n), array_agg(place::int order by n), string_agg(cells, '' order by n),
      ${lists([sql`case when n % 5 = 0 then 0 else 1 end`, one])},
      ${lists([one, two, sql`case when n % 2 = 0 then 0 else 1 end`, ...Array.from({ length: FIELDS - 3 }, () => sql`1 + n % 2`)])},
      string_agg(int4send(n) || int4send(n), '' order by n),
      string_agg(timestamptz_send(now()) || timestamptz_send(now()), '' order by n), string_agg(int4send(0), '' order by n)
    from (
      select *, sum(length(cells)) over (partition by first_row order by n) as place from (
        select n, (n - 1) / ${RECORDS_IN_BLOCK}::int * ${RECORDS_IN_BLOCK}::int + 1 as first_row,
          convert_to(jsonb_build_array('SKU-' || n, ${sql.join(columns.slice(1).map((_, n) => value(n + 1)))})::text, 'UTF8') as cells
        from generate_series(1, ${records}::int) n
      ) made
    ) placed group by first_row`.execute(to)
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
        added_rows: set(50),
      },
      sources: JSON.stringify(sources.map((task_id) => ({ task_id, name: `Source ${task_id}` }))),
    })
    .execute()
  await to.updateTable('tasks').set({ snapshot_id: id }).where('id', '=', config.task_id).execute()
  await sql`vacuum analyze compiled_blocks`.execute(to)
  return { id: config.id, sources }
}
