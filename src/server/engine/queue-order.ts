import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** A task of a batch, and the type whose dependencies order it. */
export type BatchTask = { id: number; type_id: number | null }

/** Which task reads which other task's rows, and which type depends on which other type. */
export type BatchOrder = {
  inputs: readonly { task_id: number; input_task_id: number }[]
  dependencies: readonly { task_type_id: number; depends_on_id: number }[]
}

/**
 * The stage, counted from 0, in which each task of a batch is queued: after all tasks of the types that its type
 * depends on, directly or indirectly, and after the tasks whose rows it reads. If the two conflict, type dependencies
 * win, since a user has set them; the task then reads the last good rows of the input that comes later.
 */
export function queueStages(
  tasks: readonly BatchTask[],
  { inputs, dependencies }: BatchOrder,
): Map<number, number> {
  const before = prerequisitesOf(dependencies)
  const inputsOf = Map.groupBy(inputs, ({ task_id }) => task_id)
  const stages = new Map<number, number>()
  let waiting = [...tasks]
  for (let stage = 0; waiting.length > 0; stage += 1) {
    const unplaced = new Set(waiting.map(({ id }) => id))
    const openTypes = new Set(waiting.map(({ type_id }) => type_id))
    const byType = waiting.filter(({ type_id }) =>
      [...(before.get(type_id ?? 0) ?? [])].every((type) => !openTypes.has(type)),
    )
    const ready = byType.filter(({ id }) =>
      (inputsOf.get(id) ?? []).every(({ input_task_id }) => !unplaced.has(input_task_id)),
    )
    // Nothing is ready: types and inputs conflict, or the type dependencies contain a cycle.
    const placed = ready.length > 0 ? ready : byType.length > 0 ? byType.slice(0, 1) : waiting
    for (const { id } of placed) stages.set(id, stage)
    waiting = waiting.filter(({ id }) => !stages.has(id))
  }
  return stages
}

/** All types that a type depends on, directly or indirectly. */
function prerequisitesOf(dependencies: BatchOrder['dependencies']): Map<number, Set<number>> {
  const direct = Map.groupBy(dependencies, ({ task_type_id }) => task_type_id)
  const all = new Map<number, Set<number>>()
  for (const type of direct.keys()) {
    const reached = new Set<number>()
    const open = [type]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const { depends_on_id } of direct.get(next) ?? [])
        if (!reached.has(depends_on_id)) {
          reached.add(depends_on_id)
          open.push(depends_on_id)
        }
    all.set(type, reached)
  }
  return all
}

/** The stages of these tasks; null if none of them reads another one's rows, so that the caller's order applies. */
export async function readQueueStages(
  db: Db,
  task_ids: readonly number[],
): Promise<Map<number, number> | null> {
  if (task_ids.length < 2) return null
  const ids = sql`(${[...task_ids]}::int[])`
  const { rows: inputs } = await sql<BatchOrder['inputs'][number]>`
    select task_id, input_task_id from task_inputs
    where task_id = any ${ids} and input_task_id = any ${ids} and task_id <> input_task_id`.execute(db)
  if (inputs.length === 0) return null
  const dependencies = await db
    .selectFrom('task_type_dependencies')
    .select(['task_type_id', 'depends_on_id'])
    .execute()
  const { rows: tasks } = await sql<BatchTask>`
    select k.id, k.task_type_id as type_id from unnest(${[...task_ids]}::int[]) with ordinality as wanted (id, position)
    join tasks k on k.id = wanted.id order by wanted.position`.execute(db)
  return queueStages(tasks, { inputs, dependencies })
}
