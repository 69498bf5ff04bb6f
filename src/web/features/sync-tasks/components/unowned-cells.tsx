import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { approvalMessages } from '../../../../contract/approvals/client-messages.ts'
import type { SyncTaskDetail, UnownedCells } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession } from '../../../lib/session.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { replaceCells } from '../api.ts'
import classes from './beyond-limits.module.css'
import { targetOf } from './labels.ts'
import { syncTaskModel } from './model.ts'
import { useReject } from './use-reject.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Why the last run was refused, with an action that allows it to overwrite the cells. */
export function UnownedCellsNotice({ task }: { task: SyncTaskDetail }) {
  const client = useQueryClient()
  const me = useSession()?.user ?? null
  // A snapshot: the dialog confirms what it shows, even if a run finds other cells meanwhile.
  const [asked, setAsked] = useState<UnownedCells | null>(null)
  const replacing = useMutation({
    mutationFn: (foreign: UnownedCells) => replaceCells(task.id, foreign.hash),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, syncTaskMessages.replace_failed)),
    onSettled: () => {
      setAsked(null)
      return refetchTask(client, syncTaskModel, task.id)
    },
  })
  const rejecting = useReject(task.id)
  const { foreign_cells: foreign, account } = task
  if (foreign === null) return null
  return (
    <WarningNotice title={syncTaskMessages.foreign_title}>
      <p>{syncTaskMessages.foreign_text(foreign.cells, foreign.columns)}</p>
      {foreign.rejected_by !== null && <p>{approvalMessages.rejected(foreign.rejected_by)}</p>}
      {me !== null && account?.user_id === me.id ? (
        <div className={classes.buttons}>
          <Button size="compact-sm" variant="default" onClick={() => setAsked(foreign)}>
            {syncTaskMessages.replace}
          </Button>
          {foreign.rejected_by === null && (
            <Button
              size="compact-sm"
              variant="default"
              aria-description={approvalMessages.reject_hint}
              loading={rejecting.isPending}
              onClick={() => rejecting.mutate(foreign.hash)}
            >
              {approvalMessages.reject}
            </Button>
          )}
        </div>
      ) : (
        <p>{account ? syncTaskMessages.foreign_owner(account.email) : syncTaskMessages.foreign_no_account}</p>
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
