import { lazy } from 'react'
import type { SyncTask, SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'
import type { TaskDescriptor } from '../../tasks/task-descriptor.tsx'
import { syncTaskModel } from './components/model.ts'
import { Readiness } from './components/readiness.tsx'
import { TaskPlaces } from './components/task-places.tsx'

const TaskDialog = lazy(async () => ({ default: (await import('./components/task-dialog.tsx')).TaskDialog }))

const CheckReadinessItem = lazy(async () => ({
  default: (await import('./components/check-readiness-item.tsx')).CheckReadinessItem,
}))

/** Sync tasks, as the shared screens show them. */
export const syncTaskDescriptor: TaskDescriptor<SyncTask, SyncTaskDetail> = {
  ...syncTaskModel,
  RowDetail: TaskPlaces,
  RowAside: Readiness,
  MenuItems: CheckReadinessItem,
  EditDialog: ({ task, onClose }) => (
    <TaskDialog task={task} chunkSize={task.chunk_size} onClose={onClose} onSaved={onClose} />
  ),
}
