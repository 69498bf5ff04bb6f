import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { allRuns } from '../../../../contract/all-runs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { presentLogLine } from '../../../engine/log-entries.ts'
import { titleParts } from '../../../engine/title-parts.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { RunState } from '../../../platform/schema.ts'
import { taskStates } from '../../../tasks/list/task-states.ts'
import { readListed } from './listed.ts'

type Report = z.infer<typeof allRuns.report.reply>
type Awaiting = Report['awaited_by'][number] & { total: number }
type Other = Omit<Report['inputs'][number], 'finished_at'> & { finished_at: Date | null }

/** How each query names its run `r`. */
const named = sql`r.id as run_id, r.task_id, r.task_name, ${titleParts('r')} as sheets`

const isLive = (state: RunState) => state === 'queued' || state === 'running' || state === 'stopping'

/** Reads a run with its log, what it waits or waited for, and which queued runs wait for it. Throws NamedError `run_not_found`. */
export async function readReport(db: Db, id: number, zone: string): Promise<Report> {
  const [run] = await readListed(db, [id])
  if (run === undefined) throw new NamedError('run_not_found')
  const live = isLive(run.state)
  const state = live && run.task_id ? (await taskStates(db, [run.task_id], zone)).get(run.task_id) : undefined
  const [inputs, prerequisites] = [await readInputs(db, id), await readPrerequisites(db, id)]
  const awaiting = live ? await readAwaiting(db, id) : []
  return {
    run,
    waits_for: state?.waits_for ?? null,
    place: state?.place ?? null,
    inputs: inputs.map(present),
    prerequisites: prerequisites.map(present),
    awaited_by: awaiting.map(({ total: _, ...run }) => run),
    awaited_by_count: awaiting[0]?.total ?? 0,
    log: await readLog(db, id, zone),
  }
}

const present = ({ finished_at, ...run }: Other) => ({
  ...run,
  finished_at: finished_at?.toISOString() ?? null,
})

async function readInputs(db: Db, id: number): Promise<Other[]> {
  const { rows } = await sql<Other>`
    select ${named}, r.state, r.finished_at from runs reader join runs r on r.id = any (reader.input_run_ids)
    where reader.id = ${id} order by r.id`.execute(db)
  return rows
}

// By the rule of admission: runs of the types that its type depends on, with a lower id. Index: runs_finished_idx.
async function readPrerequisites(db: Db, id: number): Promise<Other[]> {
  const { rows } = await sql<Other>`
    select ${named}, r.state, r.finished_at
    from runs waiting
    join task_type_dependencies d on d.task_type_id = waiting.task_type_id
    join runs r on r.task_type_id = d.depends_on_id and r.id < waiting.id and r.finished_at > waiting.queued_at
      and r.finished_at <= coalesce(waiting.started_at, waiting.finished_at, now())
    where waiting.id = ${id}
    order by r.finished_at desc, r.id desc limit ${limits.run_report_named}`.execute(db)
  return rows
}

// Queued runs that read its rows, or whose type waits for the runs of its type that were queued before them.
async function readAwaiting(db: Db, id: number): Promise<Awaiting[]> {
  const { rows } = await sql<Awaiting>`
    select ${named}, (count(*) over ())::int as total
    from runs r
    where r.state = 'queued' and r.id > ${id} and (${id} = any (r.input_run_ids) or r.task_type_id in (
      select d.task_type_id from task_type_dependencies d
      where d.depends_on_id = (select task_type_id from runs where id = ${id})))
    order by r.id limit ${limits.run_report_named}`.execute(db)
  return rows
}

async function readLog(db: Db, id: number, zone: string): Promise<Report['log']> {
  // Index: log_entries_run_idx.
  const rows = await db
    .selectFrom('log_entries')
    .select(['id', 'run_id', 'level', 'message', 'created_at'])
    .where('run_id', '=', id)
    .orderBy('id', 'desc')
    .limit(limits.run_report_lines)
    .execute()
  return rows.map((row) => presentLogLine(row, zone))
}
