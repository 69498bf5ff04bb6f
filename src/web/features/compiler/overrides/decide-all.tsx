import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages as messages } from '../../../../contract/overrides/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import classes from './overrides.module.css'
import type { OverrideFilters } from './overrides-query.ts'
import { undoableToast } from './undo-overrides.ts'

type Decision = 'keep' | 'drop'
type Props = { config_id: number; filters: Omit<OverrideFilters, 'page'>; total: number }

/** Buttons that keep or drop all overrides that match the filters, after a confirmation. */
export function DecideAll({ config_id, filters, total }: Props) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Decision | null>(null)
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      call(compilerOverrides.review, { params: { id: config_id }, body: { filters, decision } }),
    onSuccess: ({ changed, batch }, decision) => {
      void undoableToast(client, { config_id, batch, message: messages.all_done[decision](changed) })
      setAsked(null)
    },
    onError: (error) => toast.error(reasonOf(error, messages.decide_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  return (
    <div className={`${classes.decisions} ${classes.all}`}>
      {filters.state === 'review' && (
        <Button size="xs" variant="default" onClick={() => setAsked('keep')}>
          {messages.keep_all(total)}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setAsked('drop')}>
        {messages.drop_all(total)}
      </Button>
      {asked !== null && (
        <Dialog title={messages.all_title[asked]} onClose={() => setAsked(null)}>
          <div>
            <p>{messages.all_question[asked](total)}</p>
            <DialogFooter>
              <Button variant="default" onClick={() => setAsked(null)}>
                Cancel
              </Button>
              <Button
                data-autofocus
                color={asked === 'drop' ? 'red' : undefined}
                loading={decide.isPending}
                onClick={() => decide.mutate(asked)}
              >
                {asked === 'keep' ? 'Keep' : 'Drop'}
              </Button>
            </DialogFooter>
          </div>
        </Dialog>
      )}
    </div>
  )
}
