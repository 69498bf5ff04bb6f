import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../src/server/platform/schema.ts'

const COLUMNS = 20

/** Stores `rows` rows of 20 columns for a task, with the mixture of a catalogue: numbers, prices, text, dates and blanks. */
export async function fillTask(db: Kysely<Database>, task_id: number, rows: number): Promise<void> {
  const columns = Array.from({ length: COLUMNS }, (_, n) => `Column ${n + 1}`)
  const inserted = await sql<{ id: number }>`
    insert into snapshots (task_id, kind, columns, row_count, completed_at)
    values (${task_id}, 'copy', ${JSON.stringify(columns)}, ${rows}, now()) returning id`.execute(db)
  const id = z.int().parse(inserted.rows[0]?.id)
  await sql`
    insert into snapshot_rows (snapshot_id, row_no, cells)
    select ${id}::int, n, jsonb_build_array(
      'SKU-' || n, hash % 1000003, case when n % 10 = 0 then null else round((hash % 99991) / 7.0, 2) end,
      'Text ' || md5(n::text), n % 2 = 0, 43831 + n % 2000, 'Warehouse ' || n % 50, n, n / 3.0, 'x' || n % 97,
      'Text ' || hash, hash % 13, n, n % 5 = 0, 'y' || n, n * 2, 'z', n % 7, null, 'end')
    from (select n, abs(hashint4(n)::bigint) as hash from generate_series(1, ${rows}::int) n) numbers`.execute(
    db,
  )
  await sql`update tasks set snapshot_id = ${id} where id = ${task_id}`.execute(db)
  await sql`vacuum analyze snapshot_rows`.execute(db)
}
