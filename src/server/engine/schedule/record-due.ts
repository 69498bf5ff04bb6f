import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db.ts'
import { readQueueStages } from '../queue-order.ts'
import { shortTransaction } from '../short-transaction.ts'
import { type CronSchedule, dailyAt, occurrences, readByCroner } from './cron.ts'
import { zoneLabel } from './due-label.ts'

// Earlier occurrences are not relevant after an outage.
const LOOK_BACK_MS = 7 * 24 * 3_600_000
const NOT_RUNNING = 'no scheduler was running'
const SWITCHED_OFF = 'the schedule was stopped'

/**
 * Records the occurrences that became due since the last scan in one transaction, so that all occurrences of a minute
 * exist before any starts. The latest occurrence of a schedule within six hours will start; earlier ones are recorded
 * as missed, in one row. Any process may call it: the database's clock counts, and schedulers are notified.
 */
export const recordDue = (db: Db, zone: string): Promise<void> =>
  shortTransaction(db, async (trx) => {
    // The row lock serialises schedulers; the value read is current.
    const { rows } = await sql<{ from: Date; to: Date }>`
      update schedule_clock c set scanned_until = greatest(last.scanned_until, date_trunc('minute', now()))
      from (select scanned_until from schedule_clock for update) as last
      returning last.scanned_until as from, date_trunc('minute', now()) as to`.execute(trx)
    const clock = rows[0]
    if (!clock) throw new Error('The table schedule_clock has no row.')
    if (clock.to > clock.from) await record(trx, zone, clock)
  })

async function record(trx: Trx, zone: string, { from, to }: { from: Date; to: Date }): Promise<void> {
  const earliest = new Date(Math.max(from.getTime(), to.getTime() - LOOK_BACK_MS))
  const { rows } = await sql<{ text: string }>`
    select cron as text from task_schedules where cron is not null
    union select unnest(times) from task_schedules`.execute(trx)
  const due = rows.flatMap(({ text }) =>
    occurrencesOf(text, { from: earliest, to, zone }).map((due_at) => ({ text, due_at })),
  )
  if (due.length > 0) await insertOccurrences(trx, zone, due)
}

function occurrencesOf(text: string, window: { from: Date; to: Date; zone: string }): Date[] {
  const schedule = readSchedule(text)
  return schedule ? occurrences(schedule, window) : []
}

/** Parses a time of day or cron expression from the tables; null if it is invalid. */
export const readSchedule = (text: string): CronSchedule | null =>
  /^\d\d:\d\d$/.test(text) ? dailyAt(text) : readByCroner(text)

async function insertOccurrences(
  trx: Trx,
  zone: string,
  due: readonly { text: string; due_at: Date }[],
): Promise<void> {
  const shown = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone ${zone}, 'YYYY-MM-DD HH24:MI') || ${` ${zoneLabel(zone)}`}::text`
  await sql`
    with occurrences as (
      select s.schedule, s.task_id, m.due_at,
        row_number() over (partition by s.schedule, s.task_id order by m.due_at desc) = 1
          and m.due_at > now() - interval '6 hours' as starts
      from unnest(${due.map(({ text }) => text)}::text[], ${due.map(({ due_at }) => due_at)}::timestamptz[])
        as m (text, due_at)
      join task_schedules s on m.text = s.cron or m.text = any(s.times)
      where m.due_at > s.scheduled_since
    ), grouped as (
      select schedule, task_id, min(due_at) as due_at, max(due_at) as last_due_at, count(*)::int as moments, starts
      from occurrences group by schedule, task_id, starts
    ), recorded as (
      insert into due_moments (schedule, task_id, due_at, last_due_at, moments, stage, outcome, reason)
      select g.schedule, g.task_id, g.due_at, g.last_due_at, g.moments, coalesce(p.depth, 0),
        case when stopped or not g.starts then 'missed' end,
        case when stopped then ${SWITCHED_OFF} when not g.starts then ${NOT_RUNNING} end
      from grouped g
      join tasks k on k.id = g.task_id
      left join task_type_depth p on p.task_type_id = k.task_type_id
      cross join schedule_clock c
      cross join lateral (
        select not c.source_running and (g.schedule = 'type' or g.schedule = 'all' and k.category = 'source') as stopped
      ) switch
      order by p.depth, k.sort_order, k.id
      on conflict on constraint due_moments_key do nothing
      returning task_id, due_at, last_due_at, moments, reason
    )
    insert into log_entries (task_id, level, message)
    select task_id, 'WARNING', case when moments = 1 then 'Missed the run due at ' || ${shown('due_at')}
      else 'Missed ' || moments || ' runs due from ' || ${shown('due_at')} || ' to ' || ${shown('last_due_at')} end
      || ': ' || reason
    from recorded where reason is not null`.execute(trx)
  await orderOccurrences(trx)
}

// Occurrences start in batches, so tasks that read another task's rows are ordered after it here. Sees all
// occurrences recorded so far: concurrent transactions wait for the clock's row.
async function orderOccurrences(trx: Trx): Promise<void> {
  const { rows } = await sql<{ id: string; task_id: number; stage: number }>`
    select id, task_id, stage from due_moments where outcome is null and recorded_at >= now()
    order by due_at, stage, id`.execute(trx)
  const stages = await readQueueStages(trx, [...new Set(rows.map(({ task_id }) => task_id))])
  if (stages === null) return
  const moved = rows
    .map(({ id, task_id, stage }) => ({ id, before: stage, stage: stages.get(task_id) ?? stage }))
    .filter(({ before, stage }) => before !== stage)
  await sql`
    update due_moments m set stage = moved.stage
    from unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ stage }) => stage)}::int[]) as moved (id, stage)
    where m.id = moved.id`.execute(trx)
}
