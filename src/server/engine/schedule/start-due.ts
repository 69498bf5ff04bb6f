import { sql } from 'kysely'
import { databaseIsAway } from '../../platform/http/database-failures.ts'
import type { Logger } from '../../platform/log.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { queueRunIn } from '../queue-run.ts'
import { shortTransaction } from '../short-transaction.ts'
import type { Db, Job, Trigger, Trx } from '../types.ts'
import { dueLabel } from './due-label.ts'

// Any constant that nothing else in the database uses as an advisory lock.
const START_LOCK = 7_269_339

type Options = { db: Db; jobs: readonly Job[]; log: Logger; zone: string }
type Moment = {
  id: string
  schedule: 'task' | 'type' | 'all'
  task_id: number
  category: TaskCategory
  due_at: Date
}

/** So few that the first of them need not wait long for the last, which all start when the batch is committed. */
const BATCH = 25

/**
 * Queues the runs of recorded moments, earliest first, prerequisite types before those that depend on them, until none is
 * left or the signal is aborted. A moment and its run are in one transaction: it starts once, whatever dies in between.
 */
export async function startDue(options: Options, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await startNext(options, BATCH)));
}

/** False when none was left. */
async function startNext(options: Options, count: number): Promise<boolean> {
  const { db, jobs, log, zone } = options
  let moments: Moment[] = []
  try {
    return await shortTransaction(db, async (trx) => {
      moments = await nextMoments(trx, count)
      const obstacles = await readObstacles(trx, jobs, moments)
      for (const moment of moments) {
        const obstacle = obstacles.get(moment.task_id)
        if (obstacle === undefined) await start(trx, jobs, zone, moment)
        else await miss(trx, moment, zone, obstacle)
      }
      return moments.length > 0
    })
  } catch (error) {
    const [first] = moments
    if (!first || databaseIsAway(error)) throw error
    if (count > 1) return startNext(options, 1)
    // One task that cannot be queued must not hold up all others.
    log.error({ err: error, task_id: first.task_id }, 'A scheduled run could not be queued')
    await miss(db, first, zone, 'it could not be queued')
    return true
  }
}

async function nextMoments(trx: Trx, count: number): Promise<Moment[]> {
  // One scheduler at a time: two at once would queue a run before those that it depends on.
  await sql`select pg_advisory_xact_lock(${START_LOCK})`.execute(trx)
  return trx
    .selectFrom('due_moments')
    .innerJoin('tasks', 'tasks.id', 'due_moments.task_id')
    .select(['due_moments.id', 'schedule', 'task_id', 'category', 'due_at'])
    .where('outcome', 'is', null)
    .orderBy('due_at')
    .orderBy('stage')
    .orderBy('due_moments.id')
    .limit(count)
    .execute()
}

async function readObstacles(
  trx: Trx,
  jobs: readonly Job[],
  moments: readonly Moment[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const [category, some] of Map.groupBy(moments, (moment) => moment.category)) {
    const job = jobs.find((one) => one.category === category)
    const reasons = await job?.obstacles?.(
      trx,
      some.map(({ task_id }) => task_id),
    )
    for (const [task_id, reason] of reasons ?? []) found.set(task_id, reason)
  }
  return found
}

async function start(trx: Trx, jobs: readonly Job[], zone: string, moment: Moment): Promise<void> {
  const queued = await queueRunIn(trx, jobs, {
    taskId: moment.task_id,
    trigger: triggerOf(moment, zone),
  })
  if (queued.ok) return link(trx, moment, queued.run_id)
  const twin = queued.reason === 'live' ? await runOfTwin(trx, moment) : null
  if (twin !== null) return link(trx, moment, twin)
  await miss(trx, moment, zone, queued.reason === 'live' ? 'still running' : 'the task is inactive')
}

const triggerOf = ({ schedule, due_at }: Moment, zone: string): Trigger =>
  schedule === 'all'
    ? { kind: 'all', label: `the schedule (${dueLabel(due_at, zone)})`, user_id: null }
    : { kind: 'schedule', label: `schedule, ${dueLabel(due_at, zone)}`, user_id: null }

// A task's own time and a run-all at the same time are one run.
async function runOfTwin(trx: Trx, { task_id, due_at }: Moment): Promise<number | null> {
  const twin = await trx
    .selectFrom('due_moments')
    .select('run_id')
    .where('task_id', '=', task_id)
    .where('due_at', '=', due_at)
    .where('outcome', '=', 'started')
    .executeTakeFirst()
  return twin?.run_id ?? null
}

async function link(trx: Trx, { id }: Moment, run_id: number): Promise<void> {
  await trx.updateTable('due_moments').set({ outcome: 'started', run_id }).where('id', '=', id).execute()
}

// A task that two schedules wanted at the same moment is told so once.
async function miss(db: Db, { id, due_at }: Moment, zone: string, reason: string): Promise<void> {
  const message = `Missed the run due at ${dueLabel(due_at, zone)}: ${reason}`
  await sql`
    with missed as (
      update due_moments set outcome = 'missed', reason = ${reason} where id = ${id} and outcome is null
      returning id, task_id, due_at
    )
    insert into log_entries (task_id, level, message)
    select task_id, 'WARNING', ${message} from missed
    where not exists (
      select from due_moments twin
      where twin.task_id = missed.task_id and twin.due_at = missed.due_at and twin.id <> missed.id
        and twin.outcome = 'missed' and twin.reason = ${reason}
    )`.execute(db)
}
