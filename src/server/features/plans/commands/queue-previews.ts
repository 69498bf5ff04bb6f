import { sql } from 'kysely'
import { changeDefinitions, queueEachIn } from '../../../engine/queue-run.ts'
import type { RunHandler, Trigger } from '../../../engine/types.ts'
import type { Trx } from '../../../platform/db.ts'

/** The preview of a task; `isNew`: it was queued by this call, not joined. */
export type QueuedPreview = { task_id: number; run_id: number; isNew: boolean }

/** The version that a preview restores: what the target held before or after the plan was written. */
export type VersionWanted = { plan_id: number; side: 'former' | 'wanted'; overwrite_edits: boolean }

/**
 * Queues a preview of each sync task, or joins a live one of the same rows, in the given order. Tasks that do not exist are left out.
 * `version`: what it restores; null: nothing.
 */
export async function queuePreviews(
  trx: Trx,
  handlers: readonly RunHandler[],
  trigger: Trigger,
  task_ids: readonly number[],
  version: VersionWanted | null = null,
): Promise<QueuedPreview[]> {
  await lockTasks(trx, task_ids)
  const live = await readLivePreviews(trx, task_ids, version)
  const requests = task_ids.filter((id) => !live.has(id)).map((task_id) => ({ task_id, trigger }))
  const queued = await queueEachIn(trx, handlers, requests, { is_preview: true })
  const runs = new Map(
    [...queued].flatMap(([id, result]) => (result.ok ? [[id, result.run_id] as const] : [])),
  )
  if (runs.size > 0) await changeDefinitions(trx, [...runs.values()], { preview: true, version })
  return task_ids.flatMap((task_id) => {
    const run_id = runs.get(task_id) ?? live.get(task_id)
    return run_id === undefined ? [] : { task_id, run_id, isNew: runs.has(task_id) }
  })
}

// Of concurrent calls, one queues the preview of a task. Every caller locks in the same order.
const lockTasks = (trx: Trx, ids: readonly number[]): Promise<unknown> =>
  sql`select from tasks where id = any (${[...ids]}::int[]) order by id for no key update`.execute(trx)

async function readLivePreviews(
  trx: Trx,
  task_ids: readonly number[],
  version: VersionWanted | null,
): Promise<Map<number, number>> {
  // Index: runs_task_idx.
  const { rows } = await sql<{ task_id: number; run_id: number }>`
    select task_id, max(id) as run_id from runs
    where task_id = any (${[...task_ids]}::int[]) and is_preview and state in ('queued', 'running', 'stopping')
      and coalesce(definition -> 'version', 'null') = ${JSON.stringify(version)}::jsonb
    group by task_id`.execute(trx)
  return new Map(rows.map(({ task_id, run_id }) => [task_id, run_id]))
}
