import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import { decisionMessages } from '../../../../contract/decisions/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { showUndoToast } from '../../../ui/undo-toast.tsx'
import { recordsChanged } from '../api.ts'

type Wanted =
  | { decide: RequestOf<typeof compilerDecisions.decide>['body'] }
  | { selection: RequestOf<typeof compilerDecisions.decideSelection>['body'] }

/** Sets rules and says how many, with a button that undoes it. */
export function useDecide(id: number) {
  const client = useQueryClient()
  const changed = () => recordsChanged(client, id)
  const undo = (batch: number) =>
    call(compilerDecisions.undoDecisions, { params: { id }, body: { batch } })
      .then(
        () => toast.success(decisionMessages.undone),
        (error) => toast.error(reasonOf(error, decisionMessages.undo_failed)),
      )
      .then(changed)
  return useMutation({
    mutationFn: (wanted: Wanted) =>
      'decide' in wanted
        ? call(compilerDecisions.decide, { params: { id }, body: wanted.decide })
        : call(compilerDecisions.decideSelection, { params: { id }, body: wanted.selection }),
    onSuccess: ({ batch, set, skipped }) => {
      const left = skipped > 0 ? decisionMessages.skipped(skipped) : ''
      if (batch === null) return toast.info(`${decisionMessages.nothing_set}${left}`)
      const message = `${decisionMessages.decided(set)}.${left}`
      void showUndoToast({
        tone: 'success',
        message,
        ms: limits.csv_toast_ms,
        onUndo: () => void undo(batch),
      })
    },
    onError: (error) => toast.error(reasonOf(error, decisionMessages.decide_failed)),
    onSettled: changed,
  })
}
