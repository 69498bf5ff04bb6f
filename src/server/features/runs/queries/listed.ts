import { sql } from 'kysely'
import { type ListedRun, TimelineRun } from '../../../../contract/all-runs/calls.ts'
import { RunTrigger } from '../../../../contract/runs/calls.ts'
import { parseReceipt, requestsOf, rowsOf } from '../../../../contract/runs/receipts.ts'
import { titleParts } from '../../../engine/title-parts.ts'
import type { Db } from '../../../platform/db.ts'
import { durationSeconds } from '../../../tasks/run/wait-for-run.ts'

type Waits = { waits: unknown; wait: unknown; wait_since: Date | null }
type Moments = {
  queued_at: Date
  started_at: Date | null
  finished_at: Date | null
  inputs_until: Date | null
}
type Known = Exclude<keyof ListedRun, keyof Moments | 'waits' | 'trigger' | 'rows' | 'requests'>
type Row = Pick<ListedRun, Known> &
  Moments &
  Waits & { trigger: string; rows_done: number; duration_seconds: number | null }

/** Reads runs by id, newest first. Ids without a run are omitted. */
export async function readListed(db: Db, ids: readonly number[]): Promise<ListedRun[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select r.id, r.task_id, r.task_name, r.category, r.state, r.is_preview, r.trigger, r.trigger_label as triggered_by, r.attempts,
      r.redeliveries, r.queued_at, r.started_at, r.finished_at, ${durationSeconds} as duration_seconds, r.rows_done, r.message,
      r.error, r.receipt, jsonb_path_query_array(r.warnings, '$[*].message') as warnings,
      ${titleParts('r')} as sheets, r.task_type_id, y.name as task_type, c.id as config_id, r.triggered_by as user_id, ${timing}
    from runs r
    left join task_types y on y.id = r.task_type_id
    left join compiler_configs c on c.task_id = r.task_id
    where r.id = any (${[...ids]}::int[])
    order by r.id desc`.execute(db)
  return rows.map(present)
}

/** Columns of runs `r` that tell what each waited for. */
export const timing = sql`r.waits, r.wait, r.wait_since,
  case when r.input_run_ids <> '{}' then (
    select case when bool_and(i.finished_at is not null) then max(i.finished_at) end from runs i where i.id = any (r.input_run_ids)
  ) end as inputs_until`

function present({ rows_done, wait, waits, wait_since, ...row }: Row): ListedRun {
  const receipt = parseReceipt(row.category, row.receipt)
  return {
    ...row,
    ...presentMoments(row),
    trigger: RunTrigger.parse(row.trigger),
    waits: presentWaits({ wait, waits, wait_since }),
    rows: receipt ? rowsOf(receipt) : rows_done,
    requests: receipt && requestsOf(receipt),
    receipt,
  }
}

/** Moments of a run in the contract's form. */
export const presentMoments = ({ queued_at, started_at, finished_at, inputs_until }: Moments) => ({
  queued_at: queued_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null,
  inputs_until: inputs_until?.toISOString() ?? null,
})

const Waits = TimelineRun.shape.waits

/** Waits of a run, with the current one. Waits that a later version has stored in another form are left out. */
export function presentWaits({ waits, wait, wait_since }: Waits): TimelineRun['waits'] {
  const over = Waits.safeParse(waits).data ?? []
  if (wait === null || wait_since === null) return over
  const current = Waits.safeParse([{ ...Object(wait), from: wait_since.toISOString(), to: null }]).data ?? []
  return [...over, ...current.map(({ for: reason, from, to }) => ({ for: reason, from, to }))]
}
