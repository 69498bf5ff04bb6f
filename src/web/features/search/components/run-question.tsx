import { useMutation } from '@tanstack/react-query'
import { searchMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { RunConfirmDialog } from '../../../tasks/actions/run-confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { runTask } from '../api.ts'
import type { Runnable } from './items.ts'

/** Asks whether a task is to run, runs it and shows the reply. */
export function RunQuestion({
  task,
  onConfirm,
  onClose,
}: {
  task: Runnable
  onConfirm: () => void
  onClose: () => void
}) {
  const run = useMutation({
    mutationFn: runTask,
    onMutate: ({ category, name }) => {
      // The reply comes at the end of the compile.
      if (category === 'compiler') toast.info(messages.compile_started(name))
    },
    onSuccess: (reply) => {
      if (reply) toast[reply.status](reply.message)
    },
    onError: (error, { name }) => toast.error(reasonOf(error, messages.run_failed(name))),
  })
  const confirm = () => {
    run.mutate(task)
    onConfirm()
  }
  return <RunConfirmDialog name={task.name} onConfirm={confirm} onClose={onClose} />
}
