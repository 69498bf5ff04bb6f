import { sql } from 'kysely'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import { acknowledgeIn } from '../../../tasks/run/acknowledge-warnings.ts'
import type { BulkTask } from '../queries/targets.ts'
import { acknowledgeFailures } from './failure-marks.ts'
import { type Acted, done, type Outcome, skipped } from './outcomes.ts'

/** Acknowledges the last runs of these tasks: all their warnings, or their failure. */
export async function acknowledge(trx: Trx, actor: Actor, tasks: readonly BulkTask[]): Promise<Acted> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tasks t left join runs r on r.id = t.last_run_id
    where t.id = any (${tasks.map(({ id }) => id)}::int[])
      and (${stateOfTask} in ('failed', 'error', 'stopped') or ${stateOfTask} = 'warning' and r.warnings = '[]')`.execute(
    trx,
  )
  const ended_badly = new Set(rows.map(({ id }) => id))
  const isFailure = ({ id }: BulkTask) => ended_badly.has(id)
  const failures = await acknowledgeFailures(trx, actor, tasks.filter(isFailure))
  const warnings = await acknowledgeWarningsOf(
    trx,
    actor,
    tasks.filter((task) => !isFailure(task)),
  )
  return {
    outcomes: new Map([...failures.outcomes, ...warnings.outcomes]),
    former: new Map([...(failures.former ?? []), ...(warnings.former ?? [])]),
  }
}

async function acknowledgeWarningsOf(trx: Trx, actor: Actor, tasks: readonly BulkTask[]): Promise<Acted> {
  const { rows } = await sql<{ task_id: number; warning_id: string; message: string }>`
    select t.id as task_id, w.warning ->> 'id' as warning_id, w.warning ->> 'message' as message
    from tasks t join runs r on r.id = t.last_run_id
    cross join jsonb_array_elements(r.warnings) with ordinality as w (warning, place)
    where t.id = any (${tasks.map(({ id }) => id)}::int[]) and r.warnings <> '[]'
    order by t.id, w.place`.execute(trx)
  const added = Map.groupBy(await acknowledgeIn(trx, actor, rows), ({ task_id }) => task_id)
  const texts = new Map(rows.map((row) => [`${row.task_id} ${row.warning_id}`, row.message]))
  const outcomes = tasks.map(({ id, title }): [number, Outcome] => [
    id,
    added.has(id) ? done(messages.acknowledged(title)) : skipped(messages.nothing_to_acknowledge(title)),
  ])
  const former = [...added].map(
    ([id, some]) =>
      [
        id,
        {
          warnings: some.map(({ warning_id, acknowledged_at }) => ({
            id: warning_id,
            at: acknowledged_at,
            message: texts.get(`${id} ${warning_id}`) ?? '',
          })),
        },
      ] as const,
  )
  return { outcomes: new Map(outcomes), former: new Map(former) }
}

/** Withdraws exactly these acknowledgements; returns the tasks of which it withdrew all. */
export async function withdrawAcknowledgements(
  trx: Trx,
  actor: Actor,
  tasks: readonly { id: number; warnings: readonly { id: string; at: string }[] }[],
): Promise<Set<number>> {
  const all = tasks.flatMap(({ id, warnings }) => warnings.map((warning) => ({ task_id: id, ...warning })))
  const { rows } = await sql<{ task_id: number }>`
    delete from acknowledged_warnings a
    using unnest(${all.map(({ task_id }) => task_id)}::int[], ${all.map(({ id }) => id)}::text[],
      ${all.map(({ at }) => at)}::timestamptz[]) as w (task_id, warning_id, at)
    where a.task_id = w.task_id and a.warning_id = w.warning_id and a.acknowledged_at = w.at
      and a.acknowledged_by = ${actor.email}
    returning a.task_id`.execute(trx)
  const removed = Map.groupBy(rows, ({ task_id }) => task_id)
  return new Set(
    tasks.flatMap(({ id, warnings }) => (removed.get(id)?.length === warnings.length ? [id] : [])),
  )
}
