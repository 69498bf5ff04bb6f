import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'

/**
 * Adds so many task types with three tasks each, all of which have run: half are sources, a tenth compile, the others are sync
 * types. Most wait for one or two of those shortly before them.
 */
export async function addTypes(db: Kysely<Database>, count: number, first = 1): Promise<void> {
  await sql`
    insert into task_types (category, name, chunk_size)
    select case when n <= ${count}::int / 2 then 'source' when n <= ${count}::int * 6 / 10 then 'compiler' else 'sync' end,
      'Catalogue part ' || ${first}::int + n, 1000
    from generate_series(1, ${count}::int) n order by n`.execute(db)
  await sql`
    with numbered as (
      select id, row_number() over (order by id)::int as n from task_types t
      where name like 'Catalogue part %' and not exists (select from tasks where task_type_id = t.id)
    )
    insert into task_type_dependencies (task_type_id, depends_on_id, condition, position)
    select w.id, b.id, case when w.n % 7 = 0 then 'completion' else 'success' end, place
    from numbered w
    cross join generate_series(0, 1) place
    join numbered b on b.n = w.n - 5 - (w.n * 13 + place * 31) % 40
    where place = 0 or w.n % 4 = 0`.execute(db)
  await sql`
    with task as (
      insert into tasks (category, task_type_id, name, sort_order, chunk_size)
      select category, id, 'Part ' || id || '.' || n, n, 1000
      from task_types t cross join generate_series(1, 3) n
      where name like 'Catalogue part %' and not exists (select from tasks where task_type_id = t.id)
      returning id, name, task_type_id, category
    )
    insert into runs (task_id, task_type_id, category, task_name, state, trigger, definition, started_at, finished_at)
    select id, task_type_id, category, name, case when id % 9 = 0 then 'failed' else 'success' end, 'manual', '{}', now(), now()
    from task`.execute(db)
  await sql`
    update tasks t set last_run_id = r.id from runs r where r.task_id = t.id and t.last_run_id is null`.execute(
    db,
  )
}
