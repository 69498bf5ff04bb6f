import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { reasonOf } from '../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { refreshTask } from '../cache/task-queries.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { RunAccount } from './accounts.ts'

type Props = { runAccount: RunAccount; onClose: () => void }

/** Explains what runs will do with the user's own account, before the user agrees. */
export function OwnAccountDialog({ runAccount: { task, explanation, assign }, onClose }: Props) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const assignment = useMutation({
    mutationFn: assign,
    onSuccess: () => toast.success(taskMessages.own_account_runs(task.name)),
    onError: (error) => toast.error(reasonOf(error, taskMessages.own_account_failed)),
    onSettled: async () => {
      onClose()
      await refreshTask(client, descriptor, task.id)
    },
  })
  return (
    <Dialog title={taskMessages.run_with_own_account} onClose={onClose}>
      <div>
        {explanation}
        <DialogFooter>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={() => assignment.mutate()} loading={assignment.isPending}>
            {taskMessages.run_with_own_account}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
