import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { BulkAction } from '../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { limits } from '../../../contract/limits.ts'

import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useRunAll } from './bulk-actions.ts'
import {
  deleteAllRefusal,
  deleteTheseRefusal,
  isStartable,
  type Selection,
  stopAllRefusal,
} from './bulk-rules.ts'
import { useActOnTasks } from './use-act-on-tasks.ts'

const StopAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).StopAllDialog }))

const ToggleAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).ToggleAllDialog }))

const DeleteAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).DeleteAllDialog }))

const TheseDialog = lazy(async () => ({ default: (await import('./these-dialog.tsx')).TheseDialog }))

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }))

/** What can be asked for, and of which tasks: those that were there when it was. */
type Question = { what: BulkAction | 'toggle'; of: Selection }

export type BulkQuestions = {
  run: () => void
  /** A run was asked for and not answered yet. */
  isRunPending: boolean
  stop: () => void
  /** Of all tasks. */
  toggle: () => void
  /** Of those that the filters show. */
  activate: () => void
  deactivate: () => void
  remove: () => void
  dialogs: ReactNode
}

/**
 * What is asked about before it is done to all tasks, or to those alone that the filters show; or, where there is nothing to do,
 * told. Runs are asked about only where they are many.
 */
export function useBulkQuestions(selection: Selection): BulkQuestions {
  const descriptor = useDescriptor()
  const runAll = useRunAll()
  const act = useActOnTasks()
  const [question, setQuestion] = useState<Question | null>(null)
  const { tasks, filtered } = selection
  const ask = (what: Question['what'], refusal: string | null) =>
    refusal === null ? setQuestion({ what, of: selection }) : toast.warning(refusal)
  const start = (of: Selection) =>
    of.filtered ? act.mutate({ action: 'run', tasks: of.tasks }) : runAll.mutate()
  const none = tasks.length === 0 ? bulkMessages.no_tasks_available : null
  const deleteRefusal = filtered ? deleteTheseRefusal : deleteAllRefusal
  return {
    run: () =>
      tasks.filter((task) => isStartable(descriptor, task)).length > limits.run_unasked_max
        ? ask('run', null)
        : start(selection),
    isRunPending: runAll.isPending || (act.isPending && act.variables.action === 'run'),
    stop: () => ask('stop', stopAllRefusal(descriptor, tasks)),
    toggle: () => ask('toggle', none),
    activate: () => ask('activate', none),
    deactivate: () => ask('deactivate', none),
    remove: () => ask('delete', deleteRefusal(descriptor, tasks)),
    dialogs: (
      <Suspense>
        {question && (
          <Asked
            question={question}
            onRun={() => start(question.of)}
            onAct={(action) => act.mutate({ action, tasks: question.of.tasks })}
            onClose={() => setQuestion(null)}
          />
        )}
      </Suspense>
    ),
  }
}

type AskedProps = {
  question: Question
  onRun: () => void
  onAct: (action: BulkAction) => void
  onClose: () => void
}

function Asked({ question: { what, of }, onRun, onAct, onClose }: AskedProps) {
  const { tasks, filtered } = of
  if (what === 'run') {
    const startsAll = { title: bulkMessages.confirm_run_all(tasks.length), confirm: 'Run All' }
    const startsThese = {
      title: bulkMessages.confirm('run', tasks.length),
      confirm: bulkMessages.button('run', tasks.length),
    }
    return (
      <RunDialog
        {...(filtered ? startsThese : startsAll)}
        tasks={tasks}
        onConfirm={onRun}
        onClose={onClose}
      />
    )
  }
  if (what === 'toggle') return <ToggleAllDialog tasks={tasks} onClose={onClose} />
  if (filtered)
    return <TheseDialog action={what} tasks={tasks} onConfirm={() => onAct(what)} onClose={onClose} />
  if (what === 'stop') return <StopAllDialog tasks={tasks} onClose={onClose} />
  return <DeleteAllDialog tasks={tasks} onClose={onClose} />
}
