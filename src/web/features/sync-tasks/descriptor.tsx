import { lazy } from 'react'
import type { SyncTask, SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'
import type { TaskDescriptor } from '../../tasks/task-descriptor.tsx'
import { syncTaskModel } from './components/model.ts'
import { Readiness } from './components/readiness.tsx'
import { TaskPlaces } from './components/task-places.tsx'

const TaskDialog = lazy(async () => ({ default: (await import('./editor/task-dialog.tsx')).TaskDialog }))

const SyncMenuItems = lazy(async () => ({
  default: (await import('./components/sync-menu-items.tsx')).SyncMenuItems,
}))

const PreviewButton = lazy(async () => ({
  default: (await import('./components/preview-button.tsx')).PreviewButton,
}))

/** Descriptor of sync tasks for the shared screens. */
export const syncTaskDescriptor: TaskDescriptor<SyncTask, SyncTaskDetail> = {
  ...syncTaskModel,
  RowDetail: TaskPlaces,
  RowAside: Readiness,
  MenuItems: SyncMenuItems,
  PageActions: PreviewButton,
  DuplicateDialog: ({ task, onAdded, onClose }) => (
    <TaskDialog
      task={null}
      original={task}
      chunkSize={task.chunk_size}
      onClose={onClose}
      onSaved={({ id }) => onAdded(id)}
    />
  ),
  EditDialog: ({ task, onClose }) => (
    <TaskDialog task={task} chunkSize={task.chunk_size} onClose={onClose} onSaved={onClose} />
  ),
}
