import type { QueryClient } from '@tanstack/react-query'
import type { BulkReply } from '../../../contract/bulk/calls.ts'
import { limits } from '../../../contract/limits.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { toast } from '../../ui/toast.ts'
import { showUndoToast } from '../../ui/undo-toast.tsx'
import { pause } from '../actions/pause.ts'
import { toastReply } from '../actions/toast-reply.ts'
import type { TaskDescriptor } from '../task-descriptor.tsx'
import { invalidateWithoutStream } from './bulk-actions.ts'
import { readBulk, undoBulk } from './bulk-calls.ts'
import { markLeaving, unmarkLeaving } from './leaving-tasks.ts'

type Context = { client: QueryClient; descriptor: TaskDescriptor }
type Undoable = BulkReply & { bulk_id: number }

/** Shows the result of an action with a button that undoes it. */
export async function offerUndo(reply: Undoable, context: Context): Promise<void> {
  const { bulk_id, action, status, message, results } = reply
  if (action === 'delete')
    markLeaving(
      results.filter((result) => result.status === 'done').map(({ id }) => id),
      bulk_id,
    )
  await showUndoToast({
    tone: status,
    message,
    ms: limits.undo_ms,
    onUndo: () => void undo(bulk_id, context),
  })
  if (action === 'delete') await reportDeletion(bulk_id, context)
}

/** Undoes an action, or says why it cannot be undone any more. */
export async function undo(bulk_id: number, { client, descriptor }: Context): Promise<void> {
  try {
    toastReply(await undoBulk(bulk_id))
    unmarkLeaving(bulk_id)
  } catch (error) {
    toast.error(reasonOf(error, messages.undo_failed))
  }
  await invalidateWithoutStream(client, descriptor)
}

// After its time to undo, a deletion is carried out within a few seconds.
const REPORT_PAUSES_MS = [limits.undo_ms + 2_000, 2_000, 4_000, 8_000]

/** Waits for the end of a deletion and shows which tasks were refused then, because they run by then or are used. */
async function reportDeletion(bulk_id: number, { client, descriptor }: Context): Promise<void> {
  const result = await resultOfDeletion(bulk_id)
  if (result !== null) {
    if (result.counts.refused > 0) toast.warning(result.message)
    await invalidateWithoutStream(client, descriptor)
  }
  unmarkLeaving(bulk_id)
}

/** Null: the deletion was undone, or its end is not known. */
async function resultOfDeletion(bulk_id: number): Promise<BulkReply | null> {
  for (const ms of REPORT_PAUSES_MS) {
    await pause(ms)
    const reply = await readBulk(bulk_id).catch(() => null)
    if (reply === null || reply.state === 'undone') return null
    if (reply.state === 'carried_out') return reply.result
  }
  return null
}
