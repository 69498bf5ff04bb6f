import { sql } from 'kysely'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'

import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

// Any constant that is not used as another advisory lock in this database.
const ORIGINS_LOCK = 7_269_350

/**
 * Serializes edits of origins and sources: two valid edits could form a cycle together. Acquired before any task lock to avoid
 * deadlocks.
 */
export async function lockOrigins(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ORIGINS_LOCK})`.execute(trx)
}

/**
 * Throws NamedError `origin_cycle` with the path if a task would read from itself through origins and configuration sources. The
 * caller holds the origins lock.
 */
export async function refuseCycle(trx: Trx, task_id: number, field: string): Promise<void> {
  const { rows } = await sql<{ id: number; from_id: number; name: string }>`
    with recursive reached (id, from_id) as (
      select task_id, input_task_id from task_inputs where task_id = ${task_id}
      union
      select e.task_id, e.input_task_id from reached r join task_inputs e on e.task_id = r.from_id
    )
    select r.id, r.from_id, k.name from reached r join tasks k on k.id = r.from_id`.execute(trx)
  const path = pathBack(
    task_id,
    Map.groupBy(rows, ({ id }) => id),
  )
  if (path)
    throw new NamedError('origin_cycle', { message: taskTypeServerMessages.origin_cycle(path), field })
}

type Origin = { from_id: number; name: string }

/** Names on the shortest path from a task back to itself, starting and ending with its own; null if there is none. */
function pathBack(task_id: number, origins: ReadonlyMap<number, readonly Origin[]>): string[] | null {
  const seen = new Set<number>()
  let paths = [{ id: task_id, names: [] as string[] }]
  while (paths.length > 0) {
    const next: typeof paths = []
    for (const { id, names } of paths) {
      for (const { from_id, name } of origins.get(id) ?? []) {
        if (from_id === task_id) return [name, ...names, name]
        if (seen.has(from_id)) continue
        seen.add(from_id)
        next.push({ id: from_id, names: [...names, name] })
      }
    }
    paths = next
  }
  return null
}
