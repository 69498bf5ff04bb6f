import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import type { SpreadsheetNames } from './find-spreadsheets.ts'

/**
 * Looks up spreadsheet names with one account and reports them in batches. Returns false if the signal is aborted before all names
 * are reported.
 */
export type LookUpNames = (
  question: { account_user_id: number | null; spreadsheet_ids: readonly string[] },
  onNames: (names: SpreadsheetNames) => Promise<void>,
  signal: AbortSignal,
) => Promise<boolean>

/** Columns with ids and names of spreadsheets in a category. `isOptional`: set only if source_type is sheet. */
type NamedSpreadsheets = { table: string; columns: { id: string; name: string; isOptional: boolean }[] }

const CATEGORIES: NamedSpreadsheets[] = [
  {
    table: 'sync_tasks',
    columns: [
      { id: 'target_ss_id', name: 'target_ss_name', isOptional: false },
      { id: 'source_ss_id', name: 'source_ss_name', isOptional: true },
    ],
  },
  {
    table: 'further_sources',
    columns: [{ id: 'source_ss_id', name: 'source_ss_name', isOptional: true }],
  },
  {
    table: 'source_tasks',
    columns: [{ id: 'spreadsheet_id', name: 'spreadsheet_name', isOptional: true }],
  },
]

// Less than the minute after which another process may claim the tasks.
const LOOKUP_TIMEOUT_MS = 50_000
// Limits the size of a notification. Above it clients reload the list.
const MAX_NOTIFIED_TASKS = 500

/**
 * Looks up missing spreadsheet names of tasks, for example after an import, grouped by the account of the tasks. Names that Google
 * does not return are requested again after a minute. Spreadsheets that the account cannot open are left to the next run.
 */
export async function nameSpreadsheets(db: Db, lookUp: LookUpNames): Promise<void> {
  for (const tasks of CATEGORIES)
    for (let due = await nextDue(db, tasks); due; due = await nextDue(db, tasks)) {
      const taken = due
      const onNames = (names: SpreadsheetNames) => record(db, tasks, taken, names)
      if (await lookUp(taken, onNames, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)))
        await clearDue(db, tasks, taken)
    }
}

/** Tasks of one account, claimed until `due_at`. */
type Due = { account_user_id: number | null; task_ids: number[]; spreadsheet_ids: string[]; due_at: Date }

type Column = NamedSpreadsheets['columns'][number]

const lacksName = ({ name, isOptional }: Column) =>
  isOptional ? sql`(source_type = 'sheet' and ${sql.ref(name)} = '')` : sql`${sql.ref(name)} = ''`

// Same condition as in the indexes sync_tasks_nameless_idx, further_sources_nameless_idx and source_tasks_nameless_idx.
const hasUnnamed = ({ columns }: NamedSpreadsheets) => sql`(${sql.join(columns.map(lacksName), sql` or `)})`

/** Claims all tasks of the account with the oldest due time for one minute. Returns null if none is due. */
async function nextDue(db: Db, tasks: NamedSpreadsheets): Promise<Due | null> {
  const table = sql.table(tasks.table)
  const asked = tasks.columns.map(
    (column) => sql`select ${sql.ref(column.id)} as id where ${lacksName(column)}`,
  )
  const { rows } = await sql<Due>`
    with account as (
      select account_user_id from ${table} join tasks on tasks.id = task_id
      where ${hasUnnamed(tasks)} and names_due_at <= now() order by names_due_at limit 1
    ), due as (
      select task_id, tasks.account_user_id from ${table} s join tasks on tasks.id = task_id
        join account on account.account_user_id is not distinct from tasks.account_user_id
      where ${hasUnnamed(tasks)} and names_due_at <= now() for update of s skip locked
    ), taken as (
      update ${table} s set names_due_at = date_trunc('milliseconds', now() + interval '1 minute')
      from due where s.task_id = due.task_id
      returning s.*, due.account_user_id
    )
    select account_user_id, names_due_at as due_at, array_agg(distinct taken.task_id) as task_ids,
      array_agg(distinct asked.id) as spreadsheet_ids
    from taken, lateral (${sql.join(asked, sql` union all `)}) asked
    group by account_user_id, names_due_at`.execute(db)
  return rows[0] ?? null
}

/** Stores names in tasks that have not been edited since the claim and are not locked, and sends notifications. */
async function record(
  db: Db,
  tasks: NamedSpreadsheets,
  { task_ids, due_at }: Due,
  names: SpreadsheetNames,
): Promise<void> {
  if (names.size === 0) return
  const table = sql.table(tasks.table)
  const known = sql`${JSON.stringify(Object.fromEntries(names))}::jsonb`
  const named = tasks.columns.map(
    (column) => sql`${sql.ref(column.name)} = case when ${lacksName(column)}
      then coalesce(${known} ->> ${sql.ref(column.id)}, '') else ${sql.ref(column.name)} end`,
  )
  const isKnown = tasks.columns.map(({ id }) => sql`${known} ? ${sql.ref(id)}`)
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ task_id: number }>`
      update ${table} s set ${sql.join(named)}
      from (
        select task_id from ${table}
        where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} and ${hasUnnamed(tasks)}
          and (${sql.join(isKnown, sql` or `)})
        for update skip locked
      ) free
      where s.task_id = free.task_id returning s.task_id`.execute(trx)
    const changed = rows.map(({ task_id }) => task_id)
    if (changed.length > MAX_NOTIFIED_TASKS) await notify(trx, { kind: 'tasks' })
    else if (changed.length > 0) await notify(trx, { kind: 'tasks', task_ids: changed })
  })
}

/** Marks the lookup as complete. Locked tasks stay due. */
async function clearDue(db: Db, { table }: NamedSpreadsheets, { task_ids, due_at }: Due): Promise<void> {
  await sql`
    update ${sql.table(table)} s set names_due_at = null
    from (
      select task_id from ${sql.table(table)}
      where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} for update skip locked
    ) free
    where s.task_id = free.task_id`.execute(db)
}
