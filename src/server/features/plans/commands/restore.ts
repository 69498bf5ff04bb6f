import { sql } from 'kysely'
import type { PreviewReply } from '../../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { hasRows, isWhole } from '../../../plans/parts.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { Accepted } from '../../../platform/http/feature.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import type { RunRequest } from '../../../tasks/run/run-commands.ts'
import { previewReply, queuePreview } from './preview.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/** A change of a task's target. `overwrite_edits`: also where cells were edited since. */
type Wanted = { id: number; overwrite_edits: boolean }

type Wait = { seconds: number | undefined; signal: AbortSignal }

/**
 * Queues a preview that undoes the last change of a target, and optionally waits for its plan. Throws NamedError `nothing_to_undo`,
 * `version_elsewhere`, `version_live`, and as `previewTask` does.
 */
export async function undoLastChange(
  deps: Deps,
  by: RunRequest,
  { id, overwrite_edits }: Wanted,
  wait: Wait,
): Promise<PreviewReply | Accepted<PreviewReply>> {
  const queued = await durableTransaction(deps.db, async (trx) => {
    await requireNoLiveRun(trx, by, id)
    // Index: plans_versions_idx.
    const last = await findVersion(trx, sql`p.task_id = ${id}`)
    if (!last?.has_rows) throw new NamedError('nothing_to_undo')
    if (last.is_elsewhere) throw new NamedError('version_elsewhere')
    const version = { plan_id: last.id, side: 'former' as const, overwrite_edits }
    const preview = await queuePreview(trx, deps.handlers, by, { id, version })
    return { ...preview, message: messages.undo_started(preview.name, last.run_id) }
  })
  return previewReply(deps.db, queued, wait)
}

/**
 * Queues a preview that gives a target the rows that a run left there, and optionally waits for its plan. Throws NamedError
 * `version_not_found`, `version_of_other_task`, `version_expired`, `version_elsewhere`, `version_live`, and as `previewTask` does.
 */
export async function restoreVersion(
  deps: Deps,
  by: RunRequest,
  { id, run_id, overwrite_edits }: Wanted & { run_id: number },
  wait: Wait,
): Promise<PreviewReply | Accepted<PreviewReply>> {
  const field = 'version'
  const queued = await durableTransaction(deps.db, async (trx) => {
    await requireNoLiveRun(trx, by, id)
    // Index: plans_run_idx.
    const found = await findVersion(trx, sql`p.run_id = ${run_id}`)
    if (!found) throw new NamedError('version_not_found', { field })
    if (found.task_id !== id) throw new NamedError('version_of_other_task', { field })
    if (!found.has_rows) throw new NamedError('version_expired', { field })
    if (found.is_elsewhere) throw new NamedError('version_elsewhere', { field })
    const version = { plan_id: found.id, side: 'wanted' as const, overwrite_edits }
    const preview = await queuePreview(trx, deps.handlers, by, { id, version })
    return { ...preview, message: messages.restore_started(preview.name, run_id) }
  })
  return previewReply(deps.db, queued, wait)
}

/** Locks the task. Refused while a run is live: between its commit and its end, what it wrote would be taken for edits of others. */
async function requireNoLiveRun(trx: Trx, { category }: RunRequest, id: number): Promise<void> {
  const { live } = await lockTask(trx, category, id)
  if (live) throw new NamedError('version_live')
}

/** The newest version that meets a condition. `is_elsewhere`: the task writes to another place by now. A tab may have been renamed. */
async function findVersion(trx: Trx, which: ReturnType<typeof sql>) {
  const { rows } = await sql<{
    id: number
    run_id: number
    task_id: number
    has_rows: boolean
    is_elsewhere: boolean
  }>`
    select p.id, p.run_id, p.task_id, ${hasRows} as has_rows,
      (p.target ->> 'target_provider', p.target ->> 'target_ss_id', (p.target ->> 'start_row')::int)
        is distinct from (s.target_provider, s.target_ss_id, s.start_row)
        or r.definition ->> 'split_by' is distinct from s.split_by
        or (r.definition ->> 'target_sheet_name' = s.target_sheet_name or p.target ->> 'tab_id' = s.target_place) is not true
        as is_elsewhere
    from plans p join sync_tasks s on s.task_id = p.task_id join runs r on r.id = p.run_id
    where ${which} and ${isWhole} and p.applied_at is not null order by p.id desc limit 1`.execute(trx)
  return rows[0] ?? null
}
