import type { QueryClient } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'

type Done = { config_id: number; batch: number | null; message: string }

/** Says what was changed, with a button that undoes it. */
export async function undoableToast(client: QueryClient, { config_id, batch, message }: Done): Promise<void> {
  if (batch === null) {
    toast.success(message)
    return
  }
  const undo = () =>
    call(compilerOverrides.undo, { params: { id: config_id }, body: { batch } })
      .then(
        ({ changed_since }) => {
          const done = overrideMessages.undone(changed_since)
          if (changed_since.count === 0) toast.success(done)
          else toast.warning(done, limits.csv_toast_ms)
        },
        (error) => toast.error(reasonOf(error, overrideMessages.undo_failed)),
      )
      .then(() => recordsChanged(client, config_id))
  // Loaded now, because the first load of screens is limited.
  const { showUndoToast } = await import('../../../ui/undo-toast.tsx')
  await showUndoToast({ tone: 'success', message, ms: limits.csv_toast_ms, onUndo: () => void undo() })
}
