import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'

import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { removeSourceRunAll, sourceRunAll } from '../api.ts'
import { RunAllCard } from './run-all-card.tsx'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Editor of the run-all schedule of source tasks, which can also be removed. */
export function SourceRunAllCard() {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: removeSourceRunAll,
    onSuccess: () => {
      toast.success(scheduleMessages.source_schedule_removed)
      return client.invalidateQueries(sourceRunAll.query)
    },
    onError: (error) => toast.error(reasonOf(error, scheduleMessages.remove_source_schedule_failed)),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <RunAllCard
        title="Run All: source tasks"
        hint="Every active source task also runs at these times, in addition to its type’s schedule."
        schedule={sourceRunAll}
        actions={(saved) =>
          saved.length > 0 && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Remove
            </Button>
          )
        }
      />
      <Suspense>
        {asking && (
          <ConfirmDialog
            title="Remove schedule"
            confirm="Remove"
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsking(false)}
          >
            {scheduleMessages.confirm_remove_source_schedule}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}
