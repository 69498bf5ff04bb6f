import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import { type RunDetail, type RunPage, RunTrigger, type runs } from '../../../../contract/runs/calls.ts'
import { parseReceipt, requestsOf, rowsOf } from '../../../../contract/runs/receipts.ts'
import { titleParts } from '../../../engine/title-parts.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { durationSeconds } from '../../../tasks/run/wait-for-run.ts'
import { taskName } from '../../../tasks/task-identity.ts'

type PageQuery = QueryOf<typeof runs.ofSyncTask>

/** Lists the runs of a task, newest first. Throws NamedError `…_task_not_found`. */
export async function listRunsOfTask(
  db: Db,
  { category, id }: { category: TaskCategory; id: number },
  query: PageQuery,
): Promise<RunPage> {
  await taskName(db, category, id)
  return read(db, sql`task_id = ${id}`, query)
}

/** Reads one run. Throws NamedError `run_not_found`. */
export async function readRun(db: Db, id: number): Promise<RunDetail> {
  const {
    runs: [run],
  } = await read(db, sql`id = ${id}`, { limit: 1 })
  if (run === undefined) throw new NamedError('run_not_found')
  return run
}

/** Reads runs by id, newest first. Ids without a run are left out. */
export async function readSomeRuns(db: Db, ids: readonly number[]): Promise<RunDetail[]> {
  return (await read(db, sql`id = any (${[...ids]}::int[])`, { limit: ids.length })).runs
}

type Row = Pick<
  RunDetail,
  | 'id'
  | 'task_id'
  | 'task_name'
  | 'category'
  | 'state'
  | 'is_preview'
  | 'triggered_by'
  | 'attempts'
  | 'redeliveries'
  | 'duration_seconds'
  | 'warnings'
  | 'message'
  | 'error'
  | 'sheets'
  | 'phase'
  | 'rows_total'
  | 'restores'
> & {
  trigger: string
  queued_at: Date
  started_at: Date | null
  finished_at: Date | null
  rows_done: number
  receipt: unknown
}

// Index: plans_pkey.
const restores = sql`(
  select jsonb_build_object('run_id', p.run_id, 'side', definition -> 'version' -> 'side',
    'overwrite_edits', definition -> 'version' -> 'overwrite_edits',
    'edits_in_the_way', failure_kind is not distinct from 'edited_cells')
  from plans p where is_preview and p.id = (definition -> 'version' ->> 'plan_id')::int
)`

// Index: runs_task_idx or the primary key. Reads one extra row to detect whether there is another page.
async function read(
  db: Db,
  which: RawBuilder<unknown>,
  { cursor, limit }: PageQuery,
): Promise<{ runs: RunDetail[]; next: number | null }> {
  const { rows } = await sql<Row>`
    select id, task_id, task_name, ${titleParts('r')} as sheets, category, state, is_preview, trigger, trigger_label as triggered_by, attempts, redeliveries,
      queued_at, started_at, finished_at, ${durationSeconds} as duration_seconds, phase, rows_total,
      rows_done, message, error, receipt, ${restores} as restores, jsonb_path_query_array(warnings, '$[*].message') as warnings
    from runs r
    where ${which} and id < ${cursor ?? null}::int is not false
    order by id desc limit ${limit + 1}`.execute(db)
  const shown = rows.slice(0, limit)
  return { runs: shown.map(present), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

function present({ trigger, queued_at, started_at, finished_at, rows_done, ...row }: Row): RunDetail {
  const receipt = parseReceipt(row.category, row.receipt)
  return {
    ...row,
    trigger: RunTrigger.parse(trigger),
    queued_at: queued_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
    rows: receipt ? rowsOf(receipt) : rows_done,
    requests: receipt && requestsOf(receipt),
    receipt,
  }
}
