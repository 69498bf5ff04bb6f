import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import { type SyncTask, syncTasks } from '../../../../contract/sync-tasks.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { refreshTask } from '../../../tasks/cache/task-queries.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { syncTaskModel } from './model.ts'
import { sourceOf, targetOf } from './wording.ts'

/** Says what runs will read and write with the person's own account, before they do. */
export function OwnAccountDialog({ task, onClose }: { task: SyncTask; onClose: () => void }) {
  const client = useQueryClient()
  const lend = useMutation({
    // refused if the task is no longer the one that this dialog describes
    mutationFn: ({ id, updated_at }: SyncTask) =>
      call(syncTasks.useMyAccount, { params: { id }, body: { updated_at } }),
    onSuccess: () => toast.success(messages.own_account_runs(task.name)),
    onError: (error) => toast.error(reasonOf(error, messages.own_account_failed)),
    onSettled: async () => {
      onClose()
      await refreshTask(client, syncTaskModel, task.id)
    },
  })
  return (
    <Dialog title={messages.run_with_own_account} onClose={onClose}>
      <div>
        {messages.confirm_own_account(task.name, sourceOf(task), targetOf(task))}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={() => lend.mutate(task)} loading={lend.isPending}>
            {messages.run_with_own_account}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
