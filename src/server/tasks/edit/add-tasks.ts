import { sql } from 'kysely'
import type { Actor } from '../../platform/audit.ts'
import type { Trx } from '../../platform/db.ts'
import { insertRows } from '../../platform/insert-rows.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { checkOwners, type Ownership } from './ownership.ts'

/** Fields that all categories share. */
export type NewTask = {
  name: string
  task_type_id: number | null
  is_active: boolean
  chunk_size: number
  /** 0: append to the section. */
  sort_order: number
  scheduled_times: string[]
  relevant_user_accounts: string[]
} & Ownership

/**
 * Adds tasks in the given order within their sections, with the actor's account for their runs, and returns their ids in order. The
 * caller adds the category's rows in the same transaction. Throws NamedError `owner_gone`.
 */
export async function addTasks(
  trx: Trx,
  actor: Actor,
  category: TaskCategory,
  tasks: readonly NewTask[],
): Promise<number[]> {
  await checkOwners(
    trx,
    tasks.map(({ owner_id }) => owner_id),
  )
  const places = await lastPlaces(trx, category, [...new Set(tasks.map(({ task_type_id }) => task_type_id))])
  const placed = tasks.map((task) => ({
    ...task,
    category,
    sort_order: placeOf(task, places),
    created_by: actor.id,
    account_user_id: actor.id,
  }))
  const rows = await insertRows(trx, 'tasks', placed).returning(['id', 'task_type_id', 'name']).execute()
  // Matched by key, because the order of RETURNING rows is not guaranteed.
  const added = new Map(rows.map((row) => [`${row.task_type_id} ${row.name}`, row.id]))
  const ids = tasks.flatMap(({ task_type_id, name }) => added.get(`${task_type_id} ${name}`) ?? [])
  if (ids.length < tasks.length) throw new TypeError('The database added fewer tasks than it was given')
  return ids
}

type Places = Map<number | null, number>

// Highest sort order of each section. Index: tasks_order_idx.
async function lastPlaces(trx: Trx, category: TaskCategory, type_ids: (number | null)[]): Promise<Places> {
  const { rows } = await sql<{ id: number | null; last: number }>`
    select t.id, (
      select coalesce(max(k.sort_order), 0) from tasks k where k.category = ${category} and k.task_type_id = t.id
    ) as last
    from unnest(${type_ids.filter((id) => id !== null)}::int[]) as t (id)
    union all
    select null, coalesce(max(sort_order), 0) from tasks where category = ${category} and task_type_id is null`.execute(
    trx,
  )
  return new Map(rows.map(({ id, last }) => [id, last]))
}

function placeOf({ task_type_id, sort_order }: NewTask, places: Places): number {
  const last = places.get(task_type_id) ?? 0
  const place = sort_order || last + 1
  places.set(task_type_id, Math.max(last, place))
  return place
}
