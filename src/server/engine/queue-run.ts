import { sql } from 'kysely'
import type { Trx } from '../platform/db.ts'
import { requestId } from '../platform/log-context.ts'
import { prepared } from '../platform/postgres/client.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { readsInputs, recordInputs } from './inputs.ts'
import { readQueueStages } from './queue-order.ts'
import type { RunHandler, TaskDefinition, Trigger } from './types.ts'

/** `live`: the task already has a run that is not over. `inactive`: inactive tasks are never started. */
export type Queued = { ok: true; run_id: number } | { ok: false; reason: 'live' | 'inactive' | 'not_found' }

type Request = { task_id: number; trigger: Trigger }

/**
 * `is_preview`: the runs change nothing. They need no exclusive key, may be live beside a run of their task, and are queued for inactive
 * tasks, too.
 */
type QueueOptions = { is_preview?: boolean }

/**
 * Queues a run of a task with the task's current definition. Of concurrent calls, one creates the run. If this
 * process has no handler for the category, the worker resolves the definition at the start.
 */
export async function queueRunIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  request: Request,
  options: QueueOptions = {},
): Promise<Queued> {
  const results = await queueEachIn(trx, handlers, [request], options)
  return results.get(request.task_id) ?? { ok: false, reason: 'not_found' }
}

/** Overrides `fields` in the stored definition of a newly queued run. */
export const changeDefinition = (trx: Trx, run_id: number, fields: object): Promise<void> =>
  changeDefinitions(trx, [run_id], fields)

/** The same for several newly queued runs. */
export async function changeDefinitions(trx: Trx, run_ids: readonly number[], fields: object): Promise<void> {
  const { numAffectedRows } =
    await sql`update runs set definition = definition || ${JSON.stringify(fields)}::jsonb
    where id = any (${[...run_ids]}::int[]) and jsonb_typeof(definition) = 'object'`.execute(trx)
  if (numAffectedRows !== BigInt(run_ids.length))
    throw new Error(`The definition of a run is not known here: ${run_ids.join(', ')}`)
}

/**
 * Queues a run for each request in the caller's transaction: in the given order, except that tasks whose rows others
 * read come first (`queueStages`). Returns the result by task; a task that is requested twice gets one run, for the
 * first request.
 */
export async function queueEachIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  requests: readonly Request[],
  { is_preview = false }: QueueOptions = {},
): Promise<Map<number, Queued>> {
  const tasks = await lockTasks(
    trx,
    requests.map(({ task_id }) => task_id),
  )
  const results = new Map<number, Queued>()
  const startable: Request[] = []
  for (const request of requests) {
    const task = tasks.get(request.task_id)
    if (task && (task.is_active || is_preview)) startable.push(request)
    const reason = !task ? 'not_found' : task.is_active ? 'live' : 'inactive'
    results.set(request.task_id, { ok: false, reason })
  }
  const definitions = await readDefinitions(
    trx,
    handlers,
    [...tasks.values()].filter(({ is_active }) => is_active || is_preview),
  )
  const defined = startable.map((request) => ({
    ...request,
    ...(definitions.get(request.task_id) ?? UNKNOWN),
    ...(is_preview && { exclusive_key: null }),
  }))
  const runs = await insertRuns(trx, await inOrder(trx, defined), is_preview)
  await recordInputs(
    trx,
    runs.map(({ id }) => id),
  )
  for (const { id, task_id } of runs) results.set(task_id, { ok: true, run_id: id })
  return results
}

async function inOrder<T extends Request>(trx: Trx, requests: readonly T[]): Promise<readonly T[]> {
  const stages = await readQueueStages(trx, [...new Set(requests.map(({ task_id }) => task_id))])
  if (stages === null) return requests
  const stageOf = ({ task_id }: T) => stages.get(task_id) ?? 0
  return requests.toSorted((one, other) => stageOf(one) - stageOf(other))
}

const UNKNOWN = { definition: null, exclusive_key: null, mounts: [] }

async function readDefinitions(
  trx: Trx,
  handlers: readonly RunHandler[],
  tasks: readonly Task[],
): Promise<Map<number, TaskDefinition>> {
  const definitions = new Map<number, TaskDefinition>()
  for (const [category, some] of Map.groupBy(tasks, (task) => task.category)) {
    const handler = handlers.find((one) => one.category === category)
    const ids = some.map(({ id }) => id)
    for (const [id, definition] of (await handler?.snapshotDefinition(trx, ids)) ?? [])
      definitions.set(id, definition)
  }
  return definitions
}

type Defined = Request & {
  definition: object | null
  exclusive_key: string | null
  mounts?: readonly string[]
}
type Task = { id: number; category: TaskCategory; is_active: boolean }

// The locks prevent starting a task that is being deactivated or deleted. Every caller locks in the same order.
async function lockTasks(trx: Trx, ids: readonly number[]): Promise<Map<number, Task>> {
  const { rows } = await sql<Task>`${prepared}
    select id, category, is_active from tasks where id = any (${[...ids]}::int[])
    order by id for no key update`.execute(trx)
  return new Map(rows.map((task) => [task.id, task]))
}

/** Returns the inserted runs, with ascending ids; runs_live_task_key rejects a second live run of a task. A task does not point to its previews. */
async function insertRuns(
  trx: Trx,
  runs: readonly Defined[],
  is_preview: boolean,
): Promise<{ id: number; task_id: number }[]> {
  if (runs.length === 0) return []
  const { rows } = await sql<{ id: number; task_id: number }>`${prepared}
    with queued as (
      insert into runs (task_id, task_type_id, category, task_name, sort_order, trigger, trigger_label, triggered_by,
        definition, exclusive_key, mounts, request_id, waits_for_run_id, is_preview)
      select t.id, t.task_type_id, t.category, t.name, t.sort_order, r.trigger, r.trigger_label, r.triggered_by,
        r.definition::jsonb, r.exclusive_key, array(select jsonb_array_elements_text(r.mounts::jsonb)), ${requestId()}::uuid, case when ${readsInputs} then 0 end, ${is_preview}
      from unnest(${runs.map(({ task_id }) => task_id)}::int[], ${runs.map(({ trigger }) => trigger.kind)}::text[],
        ${runs.map(({ trigger }) => trigger.label)}::text[], ${runs.map(({ trigger }) => trigger.user_id)}::int[],
        ${runs.map(({ definition }) => JSON.stringify(definition))}::text[],
        ${runs.map(({ exclusive_key }) => exclusive_key)}::text[],
        ${runs.map(({ mounts }) => JSON.stringify(mounts ?? []))}::text[]) with ordinality
        as r (task_id, trigger, trigger_label, triggered_by, definition, exclusive_key, mounts, position)
      join tasks t on t.id = r.task_id
      order by r.position
      on conflict (task_id) where state in ('queued', 'running', 'stopping') and not is_preview do nothing
      returning id, task_id
    ), pointed as (
      update tasks set last_run_id = queued.id from queued where tasks.id = queued.task_id and not ${is_preview}
    )
    select id, task_id from queued`.execute(trx)
  return rows
}
