import { sql } from 'kysely'
import type { QueryOf } from '../../../contract/calls.ts'
import type { Found, FoundTask, FoundType, search } from '../../../contract/search/calls.ts'
import type { TaskCategory } from '../../../contract/tasks/schemas.ts'
import type { Db } from '../../platform/db.ts'
import { taskSheets } from '../../tasks/task-identity.ts'

type Query = QueryOf<typeof search.find>
type Counted = FoundTask & { category_count: number }

/** Finds tasks and task types in which each word of the search occurs. Matches of the name come first. */
export async function find(db: Db, query: Query): Promise<Found> {
  // One after the other, since both may use the same transaction.
  const tasks = await findTasks(db, query)
  const types = await findTypes(db, query)
  const task_counts: Record<TaskCategory, number> = { sync: 0, source: 0, compiler: 0 }
  for (const { category, category_count } of tasks) task_counts[category] = category_count
  return {
    tasks: tasks.slice(0, query.limit).map(({ category_count, ...task }) => task),
    types,
    task_counts,
  }
}

// Scans all tasks, without an index.
async function findTasks(db: Db, { search: text, limit }: Query): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with named as (
      select t.id, t.category, t.name, ${taskSheets} as sheets, c.id as config_id, t.task_type_id, coalesce(c.id, t.id)::text as number,
        concat_ws(' / ', nullif(coalesce(s.target_ss_name, o.spreadsheet_name), ''),
          nullif(coalesce(s.target_sheet_name, o.sheet_name), '')) as place,
        concat_ws(' ', s.source_ss_name, s.source_sheet_name, (
          select string_agg(concat_ws(' ', f.source_ss_name, f.source_sheet_name), ' ') from further_sources f where f.task_id = t.id
        )) as other
      from tasks t
      left join sync_tasks s on s.task_id = t.id
      left join source_tasks o on o.task_id = t.id
      left join compiler_configs c on c.task_id = t.id
    ), found as (
      select *, ${rank(text)} as rank from named
      where number = ${text} or concat_ws(' ', name, place, other) ilike all (${patternsOf(text)}::text[])
    ), ranked as (
      select *, count(*) over (partition by category)::int as category_count,
        row_number() over (partition by category order by rank, name, id) as place_in_category,
        row_number() over (order by rank, name, id) as place_of_all
      from found
    )
    select r.id, r.category, r.config_id, r.name, r.sheets, y.name as type, r.place, r.category_count
    from ranked r left join task_types y on y.id = r.task_type_id
    where r.place_of_all <= ${limit} or r.place_in_category = 1
    order by r.place_of_all`.execute(db)
  return rows
}

async function findTypes(db: Db, { search: text, limit }: Query): Promise<FoundType[]> {
  const { rows } = await sql<FoundType>`
    select y.id, y.category, y.name,
      (select count(*)::int from tasks t where t.task_type_id = y.id) as tasks
    from (select *, id::text as number, '' as place from task_types) y
    where y.name ilike all (${patternsOf(text)}::text[])
    order by ${rank(text)}, y.name, y.category, y.id limit ${limit}`.execute(db)
  return rows
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

const patternsOf = (text: string) => text.split(/\s+/).map((word) => `%${escaped(word)}%`)

/** Order of matches: the name or id, the start of the name, a word of the name, other parts of the name, other texts. */
const rank = (text: string) => sql`case
  when name ilike ${escaped(text)} or number = ${text} then 0
  when name ilike ${`${escaped(text)}%`} then 1
  when name ilike ${`% ${escaped(text)}%`} then 2
  when name ilike all (${patternsOf(text)}::text[]) then 3 else 4 end`
