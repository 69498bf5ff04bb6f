import { lazy, type ReactNode, Suspense, useState } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { limits } from '../../../contract/limits.ts'

import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useRunAll } from './bulk-actions.ts'
import {
  deleteAllRefusal,
  deleteFilteredRefusal,
  isStartable,
  type Selection,
  stopAllRefusal,
} from './bulk-rules.ts'
import type { FilterAction } from './filtered-tasks-dialog.tsx'
import { useActOnTasks } from './use-act-on-tasks.ts'

const StopAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).StopAllDialog }))

const ToggleAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).ToggleAllDialog }))

const DeleteAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).DeleteAllDialog }))

const FilteredTasksDialog = lazy(async () => ({
  default: (await import('./filtered-tasks-dialog.tsx')).FilteredTasksDialog,
}))

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }))

/** An open confirmation, with the tasks as they were when it was opened. */
type Confirmation = { what: FilterAction | 'toggle'; of: Selection }

export type BulkConfirmations = {
  run: () => void
  /** A bulk run was requested and has no reply yet. */
  isRunPending: boolean
  stop: () => void
  /** Toggles all tasks. */
  toggle: () => void
  /** Activates the filtered tasks. */
  activate: () => void
  deactivate: () => void
  remove: () => void
  dialogs: ReactNode
}

/**
 * Confirmations before an action on all tasks or on the filtered tasks; a toast instead if there is nothing to do. A run asks for
 * confirmation only if it starts many tasks.
 */
export function useBulkConfirmations(selection: Selection): BulkConfirmations {
  const descriptor = useDescriptor()
  const runAll = useRunAll()
  const act = useActOnTasks()
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const { tasks, filtered } = selection
  const confirm = (what: Confirmation['what'], refusal: string | null) =>
    refusal === null ? setConfirmation({ what, of: selection }) : toast.warning(refusal)
  const start = (of: Selection) =>
    of.filtered ? act.mutate({ change: { action: 'run' }, tasks: of.tasks }) : runAll.mutate()
  const none = tasks.length === 0 ? bulkMessages.no_tasks_available : null
  const deleteRefusal = filtered ? deleteFilteredRefusal : deleteAllRefusal
  return {
    run: () =>
      tasks.filter((task) => isStartable(descriptor, task)).length > limits.run_without_confirmation_max
        ? confirm('run', null)
        : start(selection),
    isRunPending: runAll.isPending || (act.isPending && act.variables.change.action === 'run'),
    stop: () => confirm('stop', stopAllRefusal(descriptor, tasks)),
    toggle: () => confirm('toggle', none),
    activate: () => confirm('activate', none),
    deactivate: () => confirm('deactivate', none),
    remove: () => confirm('delete', deleteRefusal(descriptor, tasks)),
    dialogs: (
      <Suspense>
        {confirmation && (
          <ConfirmationDialog
            confirmation={confirmation}
            onRun={() => start(confirmation.of)}
            onAct={(action) => act.mutate({ change: { action }, tasks: confirmation.of.tasks })}
            onClose={() => setConfirmation(null)}
          />
        )}
      </Suspense>
    ),
  }
}

type ConfirmationDialogProps = {
  confirmation: Confirmation
  onRun: () => void
  onAct: (action: FilterAction) => void
  onClose: () => void
}

function ConfirmationDialog({ confirmation: { what, of }, onRun, onAct, onClose }: ConfirmationDialogProps) {
  const { tasks, filtered } = of
  if (what === 'run') {
    const startsAll = { title: bulkMessages.confirm_run_all(tasks.length), confirm: 'Run All' }
    const startsFiltered = {
      title: bulkMessages.confirm('run', tasks.length),
      confirm: bulkMessages.button('run', tasks.length),
    }
    return (
      <RunDialog
        {...(filtered ? startsFiltered : startsAll)}
        tasks={tasks}
        onConfirm={onRun}
        onClose={onClose}
      />
    )
  }
  if (what === 'toggle') return <ToggleAllDialog tasks={tasks} onClose={onClose} />
  if (filtered)
    return <FilteredTasksDialog action={what} tasks={tasks} onConfirm={() => onAct(what)} onClose={onClose} />
  if (what === 'stop') return <StopAllDialog tasks={tasks} onClose={onClose} />
  return <DeleteAllDialog tasks={tasks} onClose={onClose} />
}
