import { lazy, type ReactNode, Suspense, useState } from 'react'
import { messages } from '../../../contract/page-messages.ts'
import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { deleteAllRefusal, stopAllRefusal } from './bulk-rules.ts'

const StopAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).StopAllDialog }))

const ToggleAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).ToggleAllDialog }))

const DeleteAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).DeleteAllDialog }))

/** What is asked about before it is done to all tasks; or, where there is nothing to do, told. */
export function useBulkQuestions(tasks: readonly Task[]): {
  stop: () => void
  toggle: () => void
  remove: () => void
  dialogs: ReactNode
} {
  const descriptor = useDescriptor()
  const [asking, setAsking] = useState<'stop' | 'toggle' | 'delete' | null>(null)
  const close = () => setAsking(null)
  const ask = (what: typeof asking, refusal: string | null) =>
    refusal === null ? setAsking(what) : toast.warning(refusal)
  return {
    stop: () => ask('stop', stopAllRefusal(descriptor, tasks)),
    toggle: () => ask('toggle', tasks.length === 0 ? messages.no_tasks_available : null),
    remove: () => ask('delete', deleteAllRefusal(descriptor, tasks)),
    dialogs: (
      <Suspense>
        {asking === 'stop' && <StopAllDialog tasks={tasks} onClose={close} />}
        {asking === 'toggle' && <ToggleAllDialog tasks={tasks} onClose={close} />}
        {asking === 'delete' && <DeleteAllDialog tasks={tasks} onClose={close} />}
      </Suspense>
    ),
  }
}
