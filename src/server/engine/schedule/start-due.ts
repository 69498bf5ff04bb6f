import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db.ts'
import type { Logger } from '../../platform/log.ts'
import { prepared } from '../../platform/postgres/client.ts'
import { isDatabaseUnavailable } from '../../platform/postgres/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { queueEachIn } from '../queue-run.ts'
import { shortTransaction } from '../short-transaction.ts'
import type { RunHandler, Trigger } from '../types.ts'
import { dueLabel } from './due-label.ts'

// An arbitrary advisory lock id, unique in this database.
const START_LOCK = 7_269_339

type Options = { db: Db; handlers: readonly RunHandler[]; log: Logger; zone: string }
type Occurrence = {
  id: string
  schedule: 'task' | 'type' | 'all'
  task_id: number
  category: TaskCategory
  due_at: Date
}

/** All runs of a batch start at its commit, so a small batch starts the first ones earlier. */
const BATCH = 50

/**
 * Queues runs for the recorded occurrences, earliest first, prerequisite types before dependent types, until none is
 * left or the signal is aborted. An occurrence and its run are stored in one transaction, so it starts exactly once.
 */
export async function startDue(options: Options, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await startNext(options, BATCH)));
}

/** False if none was left. */
async function startNext(options: Options, count: number): Promise<boolean> {
  const { db, handlers, log, zone } = options
  let occurrences: Occurrence[] = []
  try {
    return await shortTransaction(db, async (trx) => {
      occurrences = await nextOccurrences(trx, count)
      const blockers = await readBlockers(trx, handlers, occurrences)
      for (const occurrence of occurrences) {
        const blocker = blockers.get(occurrence.task_id)
        if (blocker !== undefined) await miss(trx, occurrence, zone, blocker)
      }
      await start(
        trx,
        handlers,
        zone,
        occurrences.filter(({ task_id }) => !blockers.has(task_id)),
      )
      return occurrences.length > 0
    })
  } catch (error) {
    const [first] = occurrences
    if (!first || isDatabaseUnavailable(error)) throw error
    if (count > 1) return startNext(options, 1)
    // A task that cannot be queued must not block the others.
    log.error({ err: error, task_id: first.task_id }, 'Failed to queue a scheduled run')
    await miss(db, first, zone, 'it could not be queued')
    return true
  }
}

async function nextOccurrences(trx: Trx, count: number): Promise<Occurrence[]> {
  // One scheduler at a time: another one would find the same occurrences, and queue runs again that are over by then.
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

async function readBlockers(
  trx: Trx,
  handlers: readonly RunHandler[],
  occurrences: readonly Occurrence[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const [category, some] of Map.groupBy(occurrences, (occurrence) => occurrence.category)) {
    const handler = handlers.find((one) => one.category === category)
    const reasons = await handler?.blockers?.(
      trx,
      some.map(({ task_id }) => task_id),
    )
    for (const [task_id, reason] of reasons ?? []) found.set(task_id, reason)
  }
  return found
}

async function start(
  trx: Trx,
  handlers: readonly RunHandler[],
  zone: string,
  occurrences: readonly Occurrence[],
): Promise<void> {
  const runs = await runsOfTwins(trx, occurrences)
  const alone = occurrences.filter((occurrence) => !runs.has(keyOf(occurrence)))
  const requests = alone.map((occurrence) => ({
    task_id: occurrence.task_id,
    trigger: triggerOf(occurrence, zone),
  }))
  const results = await queueEachIn(trx, handlers, requests)
  for (const [task_id, [first]] of Map.groupBy(alone, (occurrence) => occurrence.task_id)) {
    const result = results.get(task_id)
    if (first && result?.ok) runs.set(keyOf(first), result.run_id)
  }
  const links: { id: string; run_id: number }[] = []
  for (const occurrence of occurrences) {
    const run_id = runs.get(keyOf(occurrence))
    const result = results.get(occurrence.task_id)
    if (run_id !== undefined) links.push({ id: occurrence.id, run_id })
    else if (result?.ok === false && result.reason === 'inactive')
      await miss(trx, occurrence, zone, 'the task is inactive')
    else await miss(trx, occurrence, zone, 'still running')
  }
  await link(trx, links)
}

// A task's own schedule and a Run All at the same time result in one run.
const keyOf = ({ task_id, due_at }: Pick<Occurrence, 'task_id' | 'due_at'>) =>
  `${task_id} ${due_at.getTime()}`

/** Runs that were already queued for the same task and time, by that pair. */
async function runsOfTwins(trx: Trx, occurrences: readonly Occurrence[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ task_id: number; due_at: Date; run_id: number }>`${prepared}
    select twin.task_id, twin.due_at, twin.run_id
    from unnest(${occurrences.map(({ task_id }) => task_id)}::int[], ${occurrences.map(({ due_at }) => due_at)}::timestamptz[])
      as occurrence (task_id, due_at)
    join due_moments twin on twin.task_id = occurrence.task_id and twin.due_at = occurrence.due_at
    where twin.outcome = 'started' and twin.run_id is not null`.execute(trx)
  return new Map(rows.map((twin) => [keyOf(twin), twin.run_id]))
}

const triggerOf = ({ schedule, due_at }: Occurrence, zone: string): Trigger =>
  schedule === 'all'
    ? { kind: 'all', label: `the schedule (${dueLabel(due_at, zone)})`, user_id: null }
    : { kind: 'schedule', label: `schedule, ${dueLabel(due_at, zone)}`, user_id: null }

async function link(trx: Trx, links: readonly { id: string; run_id: number }[]): Promise<void> {
  await sql`${prepared}
    update due_moments m set outcome = 'started', run_id = link.run_id
    from unnest(${links.map(({ id }) => id)}::bigint[], ${links.map(({ run_id }) => run_id)}::int[]) as link (id, run_id)
    where m.id = link.id`.execute(trx)
}

// A task that two schedules request at the same time gets one message.
async function miss(db: Db, { id, due_at }: Occurrence, zone: string, reason: string): Promise<void> {
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
