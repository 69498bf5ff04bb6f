import { sql } from 'kysely'
import { occurrences } from '../../engine/schedule/cron.ts'
import { readSchedule } from '../../engine/schedule/record-due.ts'
import type { Db } from '../../platform/db.ts'
import { type RunEstimate, readRunEstimates, type Spread } from '../run/run-estimates.ts'
import type { PlannedRun, TypeRules } from './simulate-runs.ts'

const DAY_MS = 86_400_000

/** Which part of the estimates a simulation uses. */
export type Assumption = keyof Spread

/** Live runs and those that are due within a day, in the order in which they are queued, and the rules of their types. */
export type Plan = {
  now: Date
  types: ReadonlyMap<number, TypeRules>
  estimates: readonly RunEstimate[]
  runs: (assumption: Assumption) => PlannedRun[]
  workers: number
}

type LiveRun = { task_id: number; elapsed: number }
type DueText = { text: string; task_ids: number[] }
type TypeRow = Omit<TypeRules, 'slots'> & { id: number; slots: number }

/** Reads what a forecast of the next 24 hours needs. */
export async function readPlan(db: Db, zone: string): Promise<Plan> {
  const { rows: clock } = await sql<{ now: Date; workers: number }>`
    select now() as now, (select count(*)::int from workers where seen_at > now() - interval '15 seconds') as workers`.execute(
    db,
  )
  const [{ now, workers } = { now: new Date(), workers: 0 }] = clock
  const { rows: live } = await sql<LiveRun>`
    select task_id, coalesce(extract(epoch from now() - started_at), 0)::float8 as elapsed from runs
    where state in ('queued', 'running', 'stopping') and task_id is not null and not is_preview order by id`.execute(
    db,
  )
  const { rows: dues } = await sql<DueText>`
    select due.text, array_agg(distinct k.id) as task_ids
    from task_schedules s join tasks k on k.id = s.task_id
    cross join schedule_clock c
    cross join lateral unnest(coalesce(s.times, array[s.cron])) as due (text)
    where c.source_running or s.schedule = 'task' or s.schedule = 'all' and k.category <> 'source'
    group by due.text`.execute(db)
  const { rows: types } = await sql<TypeRow & { depth: number }>`
    select t.id, t.allowed_concurrent_tasks as slots, t.priority, t.queue_delay_seconds as delay_seconds,
      array(select depends_on_id from task_type_dependencies d where d.task_type_id = t.id) as depends_on,
      coalesce(p.depth, 0) as depth
    from task_types t left join task_type_depth p on p.task_type_id = t.id`.execute(db)
  const estimates = await readRunEstimates(db)
  const order = new Map(estimates.map((task, place) => [task.task_id, { task, place }]))
  const depths = new Map(types.map(({ id, depth }) => [id, depth]))
  const depthOf = ({ task_type_id }: RunEstimate) => depths.get(task_type_id ?? 0) ?? 0
  const to = new Date(now.getTime() + DAY_MS)
  const by_instant = new Map<number, Set<number>>()
  for (const { text, task_ids } of dues) {
    const schedule = readSchedule(text)
    for (const at of schedule ? occurrences(schedule, { from: now, to, zone }) : []) {
      const due = by_instant.get(at.getTime()) ?? new Set<number>()
      by_instant.set(at.getTime(), due)
      for (const task_id of task_ids) due.add(task_id)
    }
  }
  const coming = [...by_instant]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, task_ids]) =>
      [...task_ids]
        .flatMap((id) => order.get(id) ?? [])
        .sort((a, b) => depthOf(a.task) - depthOf(b.task) || a.place - b.place)
        .map(({ task }) => ({ task, at })),
    )
  const runs = (assumption: Assumption): PlannedRun[] => [
    ...live.flatMap(({ task_id, elapsed }) => {
      const task = order.get(task_id)?.task
      if (!task) return []
      const run = plannedRun(task, now.getTime(), assumption)
      // What is left of it, in proportion to the time since its start.
      const left = Math.max(0.1, 1 - elapsed / Math.max(1, run.seconds))
      return [
        {
          ...run,
          seconds: run.seconds * left,
          reads: Math.round(run.reads * left),
          writes: Math.round(run.writes * left),
        },
      ]
    }),
    ...coming.map(({ task, at }) => plannedRun(task, at, assumption)),
  ]
  return { now, workers, estimates, runs, types: new Map(types.map(({ id, ...rules }) => [id, rules])) }
}

const plannedRun = (task: RunEstimate, due_at: number, assumption: Assumption): PlannedRun => ({
  task_id: task.task_id,
  type_id: task.task_type_id ?? 0,
  due_at,
  seconds: task.seconds[assumption],
  reads: Math.round(task.reads[assumption]),
  writes: Math.round(task.writes[assumption]),
  accounts: task.accounts,
})
