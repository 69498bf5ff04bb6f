import { sql } from 'kysely'
import type { z } from 'zod'
import type { BulkBody, BulkFilter } from '../../../../contract/bulk/calls.ts'
import { bulkServerMessages } from '../../../../contract/bulk/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { type TaskSheets, taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { foundAttention } from '../../../tasks/attention/found-attention.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'

/** A task that the caller named, with the version that the caller has seen. */
export type Target = { id: number; category?: TaskCategory | undefined; updated_at?: string | undefined }

/** A target that exists. */
export type BulkTask = {
  id: number
  name: string
  /** How it is named in texts. */
  title: string
  category: TaskCategory
  is_active: boolean
  task_type_id: number | null
  sort_order: number
  scheduled_times: string[]
  relevant_user_accounts: string[]
  account_user_id: number | null
  owner_id: number | null
  tags: string[]
  updated_at: Date
  reads_sheet: boolean
}

/** The tasks that a call names, each once. Throws NamedError `invalid` if the filter matches more than `limits.bulk_tasks_max`. */
export async function readTargets(
  trx: Trx,
  { ids, filter }: Pick<BulkBody, 'ids' | 'filter'>,
): Promise<Target[]> {
  if (filter) return limited(await readFiltered(trx, filter))
  const targets = (ids ?? []).map((one): Target => (typeof one === 'number' ? { id: one } : one))
  return [...Map.groupBy(targets, ({ id }) => id).values()].flatMap(([first]) => first ?? [])
}

function limited(targets: Target[]): Target[] {
  if (targets.length <= limits.bulk_tasks_max) return targets
  const message = bulkServerMessages.too_many(limits.bulk_tasks_max)
  throw new NamedError('invalid', { field: 'filter', message })
}

async function readFiltered(trx: Trx, filter: BulkFilter): Promise<Target[]> {
  if (filter.category === undefined) return readAttentionTargets(trx, filter)
  const { category, task_type_id, state, is_active, search } = filter
  const text = search?.trim()
  const conditions = [
    sql`t.category = ${category}`,
    task_type_id !== undefined && sql`t.task_type_id is not distinct from ${task_type_id}::int`,
    state !== undefined && sql`${stateOfTask} = ${state}`,
    is_active !== undefined && sql`t.is_active = ${is_active}`,
    text !== undefined && sql`(strpos(lower(t.name), lower(${text})) > 0 or t.id::text = ${text})`,
  ].filter((condition) => condition !== false)
  // One scan of the tasks with primary key lookups of their last runs.
  const { rows } = await sql<Target>`
    select t.id, t.category from tasks t left join runs r on r.id = t.last_run_id
    where ${sql.join(conditions, sql` and `)}
    order by t.task_type_id, t.sort_order, t.id limit ${limits.bulk_tasks_max + 1}`.execute(trx)
  return rows
}

async function readAttentionTargets(
  trx: Trx,
  { cause, kind, marked = false }: BulkFilter,
): Promise<Target[]> {
  const conditions = [
    sql`(f.mark_kind is not null) = ${marked}`,
    cause !== undefined && sql`f.cause = ${cause}`,
    kind !== undefined && sql`f.kind = ${kind}`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<Target>`
    with ${foundAttention}
    select t.id, t.category from found f join tasks t on t.id = f.id
    where ${sql.join(conditions, sql` and `)}
    group by t.id, t.category order by max(f.at) desc, t.id limit ${limits.bulk_tasks_max + 1}`.execute(trx)
  return rows
}

const locks = {
  none: sql``,
  // Does not block the foreign key checks of new runs.
  update: sql`for no key update of t`,
  // Blocks new runs too, because their foreign key check waits.
  exclusive: sql`for update of t`,
}

type Sheets = { sheets: z.infer<typeof TaskSheets> }

/** Reads targets in their order and locks them in id order. Tasks that do not exist or are of another category are missing. */
export async function readBulkTasks(
  trx: Trx,
  targets: readonly Target[],
  lock: keyof typeof locks,
): Promise<BulkTask[]> {
  const { rows } = await sql<Omit<BulkTask, 'title'> & Sheets>`
    select t.id, t.name, ${taskSheets} as sheets, t.category, t.is_active, t.task_type_id, t.sort_order, t.scheduled_times,
      t.relevant_user_accounts, t.account_user_id, t.owner_id, t.tags, t.updated_at,
      t.category = 'sync' or exists (
        select from source_tasks o where o.task_id = t.id and o.source_type = 'sheet'
      ) as reads_sheet
    from tasks t left join sync_tasks s on s.task_id = t.id where t.id = any (${targets.map(({ id }) => id)}::int[])
    order by t.id ${locks[lock]}`.execute(trx)
  const tasks = new Map(
    rows.map(({ sheets, ...task }) => [
      task.id,
      { ...task, title: titleText(taskTitle({ ...task, sheets })) },
    ]),
  )
  return targets.flatMap(({ id, category }) => {
    const task = tasks.get(id)
    // The id of a configuration is not that of its task, so a task of one is addressed with its category only.
    const is_meant = category === undefined ? task?.category !== 'compiler' : category === task?.category
    return task && is_meant ? [task] : []
  })
}

/** Ids of those tasks that have a live run other than a preview. A separate query, because it must see runs committed while a lock was awaited. */
export async function readLive(trx: Trx, ids: readonly number[]): Promise<Set<number>> {
  // Index: runs_live_task_key.
  const { rows } = await sql<{ task_id: number }>`
    select distinct task_id from runs
    where task_id = any (${[...ids]}::int[]) and state in ('queued', 'running', 'stopping')
      and not is_preview`.execute(trx)
  return new Set(rows.map(({ task_id }) => task_id))
}
