import type { PreviewReply } from '../../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { Accepted } from '../../../platform/http/feature.ts'
import { type RunRequest, triggerOf } from '../../../tasks/run/run-commands.ts'
import { readOutcome, waitForRun } from '../../../tasks/run/wait-for-run.ts'
import { taskName, taskNotFound, taskObject } from '../../../tasks/task-identity.ts'
import { readPlanOfRun } from '../queries/plans.ts'
import { queuePreviews, type VersionWanted } from './queue-previews.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

type Wait = { seconds: number | undefined; signal: AbortSignal }

/** A queued preview, or a live one. */
export type QueuedPreview = { name: string; run_id: number; isNew: boolean }

/**
 * Queues a preview of a task, or joins the one that is live, and optionally waits for its plan. Throws NamedError `…_task_not_found`;
 * while waiting also `run_failed` with the error of the preview.
 */
export async function previewTask(
  { db, handlers }: Deps,
  by: RunRequest,
  id: number,
  wait: Wait,
): Promise<PreviewReply | Accepted<PreviewReply>> {
  const queued = await durableTransaction(db, (trx) => queuePreview(trx, handlers, by, { id, version: null }))
  return previewReply(db, { ...queued, message: messages.preview_started(queued.name) }, wait)
}

/** Waits for the plan of a preview if that is wanted. Throws NamedError `run_failed` with the error of the preview. */
export async function previewReply(
  db: Db,
  { name, run_id, isNew, message: started }: QueuedPreview & { message: string },
  wait: Wait,
): Promise<PreviewReply | Accepted<PreviewReply>> {
  const message = isNew ? started : messages.preview_live(name)
  if (wait.seconds === undefined) return { status: 'success', message, run_id, plan: null }
  await waitForRun(db, run_id, wait)
  const { error, message: said, ...run } = await readOutcome(db, run_id)
  switch (run.state) {
    case 'success':
    case 'warning': {
      const plan = await readPlanOfRun(db, run_id)
      return { status: run.state, message: said ?? messages.preview_over(name), run_id, run, plan }
    }
    case 'queued':
    case 'running':
    case 'stopping':
      return new Accepted({
        status: 'success',
        message: messages.preview_goes_on(name),
        run_id,
        run,
        plan: null,
      })
    default:
      throw new NamedError('run_failed', { message: error ?? said ?? messages.preview_failed(name) })
  }
}

/** Queues a preview in an open transaction, or joins a live one of the same rows. `version`: what it restores; null: nothing. */
export async function queuePreview(
  trx: Trx,
  handlers: readonly RunHandler[],
  by: RunRequest,
  { id, version }: { id: number; version: VersionWanted | null },
): Promise<QueuedPreview> {
  const name = await taskName(trx, by.category, id)
  const [queued] = await queuePreviews(trx, handlers, triggerOf('manual', by), [id], version)
  if (!queued) throw taskNotFound(by.category)
  if (queued.isNew)
    await audit(trx, by.actor, {
      action: 'preview',
      ...taskObject(by.category, id),
      ...(version && { details: version }),
      result: 'queued',
    })
  return { name, ...queued }
}
