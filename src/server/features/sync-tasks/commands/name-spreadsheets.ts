import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import type { SpreadsheetNames } from '../../../tasks/find-spreadsheets.ts'

/** Tells what Google calls spreadsheets, piece by piece as it is found out with one person's account; false if it was not told all before the signal fired. */
export type LookUpNames = (
  question: { account_user_id: number | null; spreadsheet_ids: readonly string[] },
  onNames: (names: SpreadsheetNames) => Promise<void>,
  signal: AbortSignal,
) => Promise<boolean>

// Less than the minute after which another look may begin.
const LONGEST_LOOK_MS = 50_000
// Notices have to be short; past that the list is read anew.
const MOST_NAMED_TASKS = 500

/**
 * Looks up what the spreadsheets of tasks are called that do not know it yet, such as after an import: all of one
 * account's tasks at a time, with that account. What Google does not tell now is asked again a minute later; what the
 * account cannot open is left to a run.
 */
export async function nameSpreadsheets(db: Db, lookUp: LookUpNames): Promise<void> {
  for (let due = await nextDue(db); due; due = await nextDue(db)) {
    const taken = due
    const onNames = (names: SpreadsheetNames) => record(db, taken, names)
    if (await lookUp(taken, onNames, AbortSignal.timeout(LONGEST_LOOK_MS))) await settle(db, taken)
  }
}

/** Tasks of one account, taken until `due_at`. */
type Due = { account_user_id: number | null; task_ids: number[]; spreadsheet_ids: string[]; due_at: Date }

// As in sync_tasks_nameless_idx.
const nameless = sql`(target_ss_name = '' or (source_type = 'sheet' and source_ss_name = ''))`

/** Takes all tasks of the account that is due longest, for a minute, so that no other process asks for the same. Null: none is due. */
async function nextDue(db: Db): Promise<Due | null> {
  const { rows } = await sql<Due>`
    with account as (
      select account_user_id from sync_tasks join tasks on tasks.id = task_id
      where ${nameless} and names_due_at <= now() order by names_due_at limit 1
    ), due as (
      select task_id, tasks.account_user_id from sync_tasks join tasks on tasks.id = task_id
        join account on account.account_user_id is not distinct from tasks.account_user_id
      where ${nameless} and names_due_at <= now() for update of sync_tasks skip locked
    ), taken as (
      update sync_tasks s set names_due_at = date_trunc('milliseconds', now() + interval '1 minute')
      from due where s.task_id = due.task_id
      returning s.*, due.account_user_id
    )
    select account_user_id, names_due_at as due_at, array_agg(distinct taken.task_id) as task_ids,
      array_agg(distinct asked.id) as spreadsheet_ids
    from taken, lateral (
      select source_ss_id as id where source_type = 'sheet' and source_ss_name = ''
      union all select target_ss_id where target_ss_name = ''
    ) asked
    group by account_user_id, names_due_at`.execute(db)
  return rows[0] ?? null
}

/** Writes the names into those of the tasks that nobody has edited meanwhile, or edits just now, and tells the lists. */
async function record(db: Db, { task_ids, due_at }: Due, names: SpreadsheetNames): Promise<void> {
  if (names.size === 0) return
  const known = sql`${JSON.stringify(Object.fromEntries(names))}::jsonb`
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ task_id: number }>`
      update sync_tasks s set
        source_ss_name = case when source_type = 'sheet' and source_ss_name = ''
          then coalesce(${known} ->> source_ss_id, '') else source_ss_name end,
        target_ss_name = case when target_ss_name = ''
          then coalesce(${known} ->> target_ss_id, '') else target_ss_name end
      from (
        select task_id from sync_tasks
        where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} and ${nameless}
          and (${known} ? source_ss_id or ${known} ? target_ss_id)
        for update skip locked
      ) free
      where s.task_id = free.task_id returning s.task_id`.execute(trx)
    const named = rows.map(({ task_id }) => task_id)
    if (named.length > MOST_NAMED_TASKS) await notify(trx, { kind: 'tasks' })
    else if (named.length > 0) await notify(trx, { kind: 'tasks', task_ids: named })
  })
}

/** Nothing more will be found out. One that is being edited is due once more. */
async function settle(db: Db, { task_ids, due_at }: Due): Promise<void> {
  await sql`
    update sync_tasks s set names_due_at = null
    from (
      select task_id from sync_tasks
      where task_id = any(${task_ids}::int[]) and names_due_at = ${due_at} for update skip locked
    ) free
    where s.task_id = free.task_id`.execute(db)
}
