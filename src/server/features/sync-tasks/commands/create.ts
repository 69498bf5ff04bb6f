import { sql } from 'kysely'
import type { z } from 'zod'
import type { SyncTaskCreate } from '../../../../contract/sync-task-edits.ts'
import { type Actor, auditAll } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { checkAccounts, definitionOf, holdType, sharedOf } from './definition.ts'
import { type FindSpreadsheet, findSpreadsheets, type SpreadsheetNames } from './find-spreadsheets.ts'

type NewTask = z.output<typeof SyncTaskCreate>

/** Adds a sync task, last in its type unless it brings a sort order; returns its id, and warnings about spreadsheets that cannot be opened. Without a chunk size it takes its type's. */
export async function createSyncTask(
  deps: { db: Db; findSpreadsheet: FindSpreadsheet },
  actor: Actor,
  body: NewTask,
): Promise<{ id: number; warnings: string[] }> {
  const { relevant_user_accounts } = body
  const accounts = { account_user_id: actor.id, relevant_user_accounts }
  const { names, warnings } = await findSpreadsheets(deps, accounts, body)
  return deps.db.transaction().execute(async (trx) => {
    const type = await holdType(trx, body.sync_task_type_id)
    const task = { ...body, chunk_size: body.chunk_size ?? type.chunk_size }
    const [id] = await addSyncTasks(trx, actor, [task], names)
    if (id === undefined) throw new TypeError('The database added no task')
    return { id, warnings }
  })
}

/** Adds sync tasks of types that do not go away meanwhile, all or none, in this order within their types; returns their ids. */
export async function addSyncTasks(
  trx: Trx,
  actor: Actor,
  bodies: readonly (NewTask & { chunk_size: number })[],
  names: SpreadsheetNames,
): Promise<number[]> {
  const places = await lastPlaces(trx, [...new Set(bodies.map((body) => body.sync_task_type_id))])
  const placed = bodies.map((body) => ({ ...body, sort_order: placeOf(body, places) }))
  const rows = await trx
    .insertInto('tasks')
    .values(
      placed.map((body) => ({
        category: 'sync' as const,
        task_type_id: body.sync_task_type_id,
        name: body.name,
        is_active: body.is_active,
        created_by: actor.id,
        account_user_id: actor.id,
        sort_order: body.sort_order,
        ...sharedOf(body),
      })),
    )
    .returning(['id', 'task_type_id', 'name'])
    .execute()
  // Not by position: the order of what an insert returns is nowhere promised.
  const added = new Map(rows.map((row) => [`${row.task_type_id} ${row.name}`, row.id]))
  const tasks = placed.flatMap((body) => {
    const id = added.get(`${body.sync_task_type_id} ${body.name}`)
    return id === undefined ? [] : [{ body, id }]
  })
  if (tasks.length < bodies.length) throw new TypeError('The database added fewer tasks than it was given')
  await trx
    .insertInto('sync_tasks')
    .values(
      tasks.map(({ body, id }) => ({
        ...definitionOf(body),
        task_id: id,
        source_ss_name: names.get(body.source_ss_id) ?? '',
        target_ss_id: body.target_ss_id,
        target_ss_name: names.get(body.target_ss_id) ?? '',
        target_sheet_name: body.target_sheet_name,
        source_type: body.source_type,
      })),
    )
    .execute()
  await checkAccounts(
    trx,
    tasks.map(({ id }) => id),
  )
  await auditAll(
    trx,
    actor,
    tasks.map(({ body, id }) => ({
      action: 'create',
      object_type: 'sync_task',
      object_id: id,
      details: {
        name: body.name,
        sync_task_type_id: body.sync_task_type_id,
        ...definitionOf(body),
        ...sharedOf(body),
      },
    })),
  )
  await notify(trx, { kind: 'tasks' })
  return tasks.map(({ id }) => id)
}

// The highest sort order of each type (index tasks_order_idx).
async function lastPlaces(trx: Trx, type_ids: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; last: number }>`
    select t.id, (
      select coalesce(max(k.sort_order), 0) from tasks k where k.category = 'sync' and k.task_type_id = t.id
    ) as last
    from unnest(${type_ids}::int[]) as t (id)`.execute(trx)
  return new Map(rows.map(({ id, last }) => [id, last]))
}

function placeOf(body: NewTask, places: Map<number, number>): number {
  const last = places.get(body.sync_task_type_id) ?? 0
  const place = body.sort_order || last + 1
  places.set(body.sync_task_type_id, Math.max(last, place))
  return place
}
