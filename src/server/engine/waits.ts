import { sql } from 'kysely'
import type { z } from 'zod'
import type { Wait, WaitGroup } from '../../contract/runs/waits.ts'
import { type TaskSheets, titleOf } from '../../contract/titles/task-title.ts'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { freeSlots, opensAt, type TypeSlots } from './admissible.ts'
import { readLiveInputs } from './inputs.ts'
import { titleParts } from './title-parts.ts'
import {
  holdsKey,
  isAttended,
  isDue,
  isKeyTaken,
  isServed,
  readTypeAdmission,
  type TypeAdmission,
} from './type-admission.ts'

/** A queued run, with the data that explains its wait. */
export type QueuedRun = {
  id: number
  attempts: number
  is_due: boolean
  is_attended: boolean
  /** The folders that no live worker for its category has; null: they are not why it is unattended. */
  mounts?: readonly string[] | null
  not_before: Date
  error: string | null
  /** Names of the input tasks whose runs it waits for. */
  inputs: readonly string[]
  /** Title of the task whose running run has the same exclusive key. */
  key_taken_by: string | null
}

/** Queued runs of a type that differ only in their ids, in order of admission. */
type Group = Omit<QueuedRun, 'id'> & { type_id: number; run_ids: number[]; task_ids: number[] }

const INPUTS_NAMED = 3

/** What a queued run waits for, by the rules of admission. `is_ordered`: only for its position among its type's runs. */
export function waitOf(
  run: QueuedRun,
  admission: Pick<TypeAdmission, 'name' | 'live_prerequisites' | keyof TypeSlots>,
  now: Date,
): { wait: Wait; is_ordered: boolean } {
  const alone = (wait: Wait) => ({ wait, is_ordered: false })
  if (!run.is_due)
    return alone({
      for: 'retry',
      at: run.not_before.toISOString(),
      attempt: run.attempts + 1,
      error: run.error ?? '',
    })
  if (!run.is_attended) return alone({ for: 'worker', ...(run.mounts && { folders: [...run.mounts] }) })
  const types = admission.live_prerequisites
    .filter(({ first_run }) => first_run <= run.id)
    .map(({ type }) => type)
  if (types.length > 0) return alone({ for: 'prerequisites', types })
  if (run.inputs.length > 0) {
    const tasks = run.inputs.slice(0, INPUTS_NAMED)
    return alone({ for: 'inputs', tasks, more: run.inputs.length - tasks.length })
  }
  if (run.key_taken_by !== null) return alone({ for: 'exclusive', task: run.key_taken_by })
  const { name: type, at_work, allowed_concurrent_tasks: slots } = admission
  if (at_work >= slots) return { wait: { for: 'slot', type, at_work, slots }, is_ordered: true }
  const opens = opensAt(admission)
  if (opens && freeSlots(admission, now) === 0)
    return { wait: { for: 'delay', type, until: opens.toISOString() }, is_ordered: true }
  return { wait: { for: 'turn' }, is_ordered: true }
}

/** By type and wait. */
export type WaitGroups = ReadonlyMap<string, WaitGroup & { type_id: number }>

/**
 * Groups the queued runs of a category (null: of all categories) by what they wait for, each group in starting order.
 * Three queries, independent of the number of runs.
 */
export async function readWaitGroups(db: Db, category: TaskCategory | null): Promise<WaitGroups> {
  const types = new Map((await readTypeAdmission(db)).map((type) => [type.id, type]))
  if (![...types.values()].some(({ has_queued }) => has_queued)) return new Map()
  const { now, groups } = await readQueued(db, category)
  const lines = new Map<string, WaitGroup & { type_id: number }>()
  for (const group of groups) {
    // A type whose first run was queued between the two queries is included next time.
    const type = types.get(group.type_id)
    if (!type) continue
    for (const part of splitAtPrerequisites(group, type)) {
      const { wait, is_ordered } = waitOf(part, type, now)
      const key = `${group.type_id} ${JSON.stringify(wait)}`
      const before = lines.get(key)?.task_ids ?? []
      lines.set(key, { type_id: group.type_id, wait, is_ordered, task_ids: [...before, ...part.task_ids] })
    }
  }
  return lines
}

/** The groups by task; `place` counts from 1, null for runs without an order. */
export function waitsByTask(
  lines: Iterable<WaitGroup>,
): Map<number, { waits_for: Wait; place: number | null }> {
  return new Map(
    [...lines].flatMap(({ wait, is_ordered, task_ids }) =>
      task_ids.map((id, index) => [id, { waits_for: wait, place: is_ordered ? index + 1 : null }] as const),
    ),
  )
}

// A group splits only if some of its runs were queued before the first prerequisite run and some after it.
function splitAtPrerequisites(
  group: Group,
  { live_prerequisites }: TypeAdmission,
): (QueuedRun & { task_ids: number[] })[] {
  const behind = (run_id: number) => live_prerequisites.filter(({ first_run }) => first_run <= run_id).length
  const positions = [...group.run_ids.keys()]
  const parts =
    live_prerequisites.length === 0
      ? [positions]
      : Map.groupBy(positions, (position) => behind(group.run_ids[position] ?? 0)).values()
  return [...parts].map((some) => ({
    ...group,
    id: group.run_ids[some[0] ?? 0] ?? 0,
    task_ids:
      some.length === positions.length
        ? group.task_ids
        : some.map((position) => group.task_ids[position] ?? 0),
  }))
}

type Holder = { id: number | null; name: string; parts: z.infer<typeof TaskSheets> }
type Row = Omit<Group, 'inputs' | 'key_taken_by'> & {
  now: Date
  input_run_ids: number[] | null
  holder: Holder | null
}

// One row per group, independent of its size; uses runs_queued_idx.
async function readQueued(db: Db, category: TaskCategory | null): Promise<{ now: Date; groups: Group[] }> {
  const { rows } = await sql<Row>`
    select now() as now, type_id, is_due, is_attended, mounts, holder, input_run_ids, attempts, not_before, error,
      json_agg(id order by sort_order, id) as run_ids, json_agg(task_id order by sort_order, id) as task_ids
    from (
      select r.id, r.task_id, r.sort_order, coalesce(r.task_type_id, 0) as type_id,
        ${isDue} as is_due, ${isAttended} as is_attended,
        case when ${isServed} and not ${isAttended} then r.mounts end as mounts,
        -- Columns that only explain a retry are constant for other runs, so that these form one group.
        case when ${isDue} then 0 else r.attempts end as attempts,
        case when ${isDue} then now() else r.not_before end as not_before,
        case when not ${isDue} and r.attempts > 0 then left(r.error, 500) end as error,
        case when r.waits_for_run_id is not null then r.input_run_ids end as input_run_ids,
        case when ${isKeyTaken} then (
          select jsonb_build_object('id', t.task_id, 'name', t.task_name, 'parts', ${titleParts('t')})
          from runs t where ${holdsKey} and t.state in ('running', 'stopping') order by t.id limit 1
        ) end as holder
      from runs r
      where r.state = 'queued' and r.task_id is not null and not r.is_preview and (${category}::text is null or r.category = ${category})
    ) queued
    group by type_id, is_due, is_attended, mounts, holder, input_run_ids, attempts, not_before, error`.execute(
    db,
  )
  const awaited = new Set(rows.flatMap(({ input_run_ids }) => input_run_ids ?? []))
  const names = await readLiveInputs(db, [...awaited])
  const groups = rows.map(({ input_run_ids, holder, ...row }) => ({
    ...row,
    key_taken_by: holder && titleOf(holder.id, holder.name, holder.parts),
    inputs: (input_run_ids ?? []).flatMap((id) => names.get(id) ?? []),
  }))
  return { now: rows[0]?.now ?? new Date(), groups }
}
