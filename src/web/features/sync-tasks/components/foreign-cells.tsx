import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { syncPageMessages as messages } from '../../../../contract/sync-page-messages.ts'
import type { ForeignCells, SyncTaskDetail } from '../../../../contract/sync-tasks.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession } from '../../../lib/session.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { replaceCells } from '../api.ts'
import { syncTaskModel } from './model.ts'
import { targetOf } from './wording.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Why the last run was refused, and the way to have it write all the same. */
export function ForeignCellsNotice({ task }: { task: SyncTaskDetail }) {
  const client = useQueryClient()
  const me = useSession()?.user ?? null
  // as it was shown, whatever a run finds meanwhile
  const [asked, setAsked] = useState<ForeignCells | null>(null)
  const replacing = useMutation({
    mutationFn: (foreign: ForeignCells) => replaceCells(task.id, foreign.hash),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.replace_failed)),
    onSettled: () => {
      setAsked(null)
      return refetchTask(client, syncTaskModel, task.id)
    },
  })
  const { foreign_cells: foreign, account } = task
  if (foreign === null) return null
  return (
    <WarningNotice title={messages.foreign_title}>
      <p>{messages.foreign_text(foreign.cells, foreign.columns)}</p>
      {me !== null && account?.user_id === me.id ? (
        <Button size="compact-sm" variant="default" onClick={() => setAsked(foreign)}>
          {messages.replace}
        </Button>
      ) : (
        <p>{account ? messages.foreign_owner(account.email) : messages.foreign_nobody}</p>
      )}
      <Suspense>
        {asked && (
          <ConfirmDialog
            title={messages.replace_title}
            confirm={messages.replace}
            busy={replacing.isPending}
            onConfirm={() => replacing.mutate(asked)}
            onClose={() => setAsked(null)}
          >
            {messages.replace_text(asked.cells, targetOf(task))}
          </ConfirmDialog>
        )}
      </Suspense>
    </WarningNotice>
  )
}
