import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ForeignCells, SyncTaskDetail } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession } from '../../../lib/session.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { replaceCells } from '../api.ts'
import { targetOf } from './labels.ts'
import { syncTaskModel } from './model.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Why the last run was refused, and the way to have it write all the same. */
export function UnownedCellsNotice({ task }: { task: SyncTaskDetail }) {
  const client = useQueryClient()
  const me = useSession()?.user ?? null
  // as it was shown, whatever a run finds meanwhile
  const [asked, setAsked] = useState<ForeignCells | null>(null)
  const replacing = useMutation({
    mutationFn: (foreign: ForeignCells) => replaceCells(task.id, foreign.hash),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, syncTaskMessages.replace_failed)),
    onSettled: () => {
      setAsked(null)
      return refetchTask(client, syncTaskModel, task.id)
    },
  })
  const { foreign_cells: foreign, account } = task
  if (foreign === null) return null
  return (
    <WarningNotice title={syncTaskMessages.foreign_title}>
      <p>{syncTaskMessages.foreign_text(foreign.cells, foreign.columns)}</p>
      {me !== null && account?.user_id === me.id ? (
        <Button size="compact-sm" variant="default" onClick={() => setAsked(foreign)}>
          {syncTaskMessages.replace}
        </Button>
      ) : (
        <p>{account ? syncTaskMessages.foreign_owner(account.email) : syncTaskMessages.foreign_nobody}</p>
      )}
      <Suspense>
        {asked && (
          <ConfirmDialog
            title={syncTaskMessages.replace_title}
            confirm={syncTaskMessages.replace}
            busy={replacing.isPending}
            onConfirm={() => replacing.mutate(asked)}
            onClose={() => setAsked(null)}
          >
            {syncTaskMessages.replace_text(asked.cells, targetOf(task))}
          </ConfirmDialog>
        )}
      </Suspense>
    </WarningNotice>
  )
}
