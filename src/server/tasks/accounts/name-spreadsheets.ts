import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { notify } from '../../platform/notify.ts'
import type { SpreadsheetNames } from './find-spreadsheets.ts'

/** Tells what Google calls spreadsheets, piece by piece as it is found out with one person's account; false if it was not told all before the signal fired. */
export type LookUpNames = (
  question: { account_user_id: number | null; spreadsheet_ids: readonly string[] },
  onNames: (names: SpreadsheetNames) => Promise<void>,
  signal: AbortSignal,
) => Promise<boolean>

/** Where a category keeps ids and names of spreadsheets. `isOptional`: only those whose source_type is sheet have one. */
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
    table: 'source_tasks',
    columns: [{ id: 'spreadsheet_id', name: 'spreadsheet_name', isOptional: true }],
  },
]

// Less than the minute after which another look may begin.
const LOOKUP_TIMEOUT_MS = 50_000
// Notices have to be short; past that the list is read anew.
const MAX_NOTIFIED_TASKS = 500

/**
 * Looks up what the spreadsheets of tasks are called that do not know it yet, such as after an import: all of one
 * account's tasks at a time, with that account. What Google does not tell now is asked again a minute later; what the
 * account cannot open is left to a run.
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

/** Tasks of one account, taken until `due_at`. */
type Due = { account_user_id: number | null; task_ids: number[]; spreadsheet_ids: string[]; due_at: Date }

type Column = NamedSpreadsheets['columns'][number]

const lacksName = ({ name, isOptional }: Column) =>
  isOptional ? sql`(source_type = 'sheet' and ${sql.ref(name)} = '')` : sql`${sql.ref(name)} = ''`

// As in sync_tasks_nameless_idx and source_tasks_nameless_idx.
const nameless = ({ columns }: NamedSpreadsheets) => sql`(${sql.join(columns.map(lacksName), sql` or `)})`

/** Takes all tasks of the account that is due longest, for a minute, so that no other process asks for the same. Null: none is due. */
async function nextDue(db: Db, tasks: NamedSpreadsheets): Promise<Due | null> {
  const table = sql.table(tasks.table)
  const asked = tasks.columns.map(
    (column) => sql`select ${sql.ref(column.id)} as id where ${lacksName(column)}`,
  )
  const { rows } = await sql<Due>`
    with account as (
      select account_user_id from ${table} join tasks on tasks.id = task_id
      where ${nameless(tasks)} and names_due_at <= now() order by names_due_at limit 1
    ), due as (
      select task_id, tasks.account_user_id from ${table} s join tasks on tasks.id = task_id
        join account on account.account_user_id is not distinct from tasks.account_user_id
      where ${nameless(tasks)} and names_due_at <= now() for update of s skip locked
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

/** Writes the names into those of the tasks that nobody has edited meanwhile, or edits just now, and tells the lists. */
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
        where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} and ${nameless(tasks)}
          and (${sql.join(isKnown, sql` or `)})
        for update skip locked
      ) free
      where s.task_id = free.task_id returning s.task_id`.execute(trx)
    const changed = rows.map(({ task_id }) => task_id)
    if (changed.length > MAX_NOTIFIED_TASKS) await notify(trx, { kind: 'tasks' })
    else if (changed.length > 0) await notify(trx, { kind: 'tasks', task_ids: changed })
  })
}

/** Nothing more will be found out. One that is being edited is due once more. */
async function clearDue(db: Db, { table }: NamedSpreadsheets, { task_ids, due_at }: Due): Promise<void> {
  await sql`
    update ${sql.table(table)} s set names_due_at = null
    from (
      select task_id from ${sql.table(table)}
      where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} for update skip locked
    ) free
    where s.task_id = free.task_id`.execute(db)
}
