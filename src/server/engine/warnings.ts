import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { type LeasedRun, leaseIsAlive } from './delivery.ts'
import type { RunContext } from './types.ts'

type Warning = Parameters<RunContext['warn']>[0]

/** Identical for the same kind and subject in any run. */
const warningId = ({ kind, subject }: Warning): string =>
  `${kind}-${createHash('sha256').update(subject).digest('hex').slice(0, 16)}`

/**
 * Adds a warning to a run and to the log, unless this attempt has added it already; the log line is written once per
 * run, across attempts and workers. `lost` is called if the lease is no longer valid.
 */
export async function addWarning(db: Db, run: LeasedRun, warning: Warning, lost: () => never): Promise<void> {
  const { task_id, id: run_id, lease } = run
  const id = warningId(warning)
  const { rows } = await sql`
    with leased as (
      select id from runs where ${leaseIsAlive(lease)}
    ), added as (
      update runs set warnings = warnings || ${JSON.stringify([{ id, message: warning.message }])}::jsonb, updated_at = now()
      from leased where runs.id = leased.id and not warnings @> ${JSON.stringify([{ id }])}::jsonb
    ), logged as (
      insert into log_entries (task_id, run_id, level, message)
      select ${task_id}, ${run_id}, 'WARNING', ${warning.message} from leased
      where not exists (
        select from log_entries e
        where e.task_id = ${task_id} and e.run_id = ${run_id} and e.level = 'WARNING' and e.message = ${warning.message}
      )
    )
    select id from leased`.execute(db)
  if (rows.length !== 1) lost()
}
