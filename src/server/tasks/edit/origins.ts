import { sql } from 'kysely'
import { messages } from '../../../contract/messages.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

// Any constant that nothing else in the database uses as an advisory lock.
const ORIGINS_LOCK = 7_269_350

/**
 * One edit at a time of what tasks fetch or compile from: two that are harmless alone could close a circle together. Taken before
 * any task is locked, or two of them could wait for each other.
 */
export async function lockOrigins(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ORIGINS_LOCK})`.execute(trx)
}

/**
 * Throws NamedError `origin_cycle` that names the way where a task would in the end fetch from itself, through other tasks'
 * origins and the sources of configurations. The caller holds the lock.
 */
export async function refuseCycle(trx: Trx, task_id: number, field: string): Promise<void> {
  const { rows } = await sql<{ id: number; from_id: number; name: string }>`
    with recursive reached (id, from_id) as (
      select task_id, input_task_id from task_inputs where task_id = ${task_id}
      union
      select e.task_id, e.input_task_id from reached r join task_inputs e on e.task_id = r.from_id
    )
    select r.id, r.from_id, k.name from reached r join tasks k on k.id = r.from_id`.execute(trx)
  const way = wayBack(
    task_id,
    Map.groupBy(rows, ({ id }) => id),
  )
  if (way) throw new NamedError('origin_cycle', { message: messages.origin_cycle(way), field })
}

type Origin = { from_id: number; name: string }

/** Names on the shortest way from a task to itself, beginning and ending with its own; null: there is none. */
function wayBack(task_id: number, origins: ReadonlyMap<number, readonly Origin[]>): string[] | null {
  const seen = new Set<number>()
  let ways = [{ id: task_id, names: [] as string[] }]
  while (ways.length > 0) {
    const next: typeof ways = []
    for (const { id, names } of ways) {
      for (const { from_id, name } of origins.get(id) ?? []) {
        if (from_id === task_id) return [name, ...names, name]
        if (seen.has(from_id)) continue
        seen.add(from_id)
        next.push({ id: from_id, names: [...names, name] })
      }
    }
    ways = next
  }
  return null
}
