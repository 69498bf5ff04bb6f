import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages as messages } from '../../../../contract/overrides/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import type { FilteredOverrides } from './overrides-query.ts'
import { undoableToast } from './undo-overrides.ts'

type Props = FilteredOverrides & { decision: 'keep' | 'drop'; onClose: () => void }

/** Asks before all overrides that match the filters are kept or dropped. */
export function DecideAllDialog({ config_id, filters, total, decision, onClose }: Props) {
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: () =>
      call(compilerOverrides.review, { params: { id: config_id }, body: { filters, decision } }),
    onSuccess: ({ changed, batch }) => {
      void undoableToast(client, { config_id, batch, message: messages.all_done[decision](changed) })
      onClose()
    },
    onError: (error) => toast.error(reasonOf(error, messages.decide_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  return (
    <Dialog title={messages.all_title[decision]} onClose={onClose}>
      <div>
        <p>{messages.all_question[decision](total)}</p>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus
            color={decision === 'drop' ? 'red' : undefined}
            loading={decide.isPending}
            onClick={() => decide.mutate()}
          >
            {decision === 'keep' ? 'Keep' : 'Drop'}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
