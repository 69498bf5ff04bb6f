import { lazy } from 'react'
import type { SourceTask, SourceTaskDetail } from '../../../contract/source-tasks/calls.ts'
import type { TaskDescriptor } from '../../tasks/task-descriptor.tsx'
import { sourceTaskModel } from './components/model.ts'
import { SourceAge } from './components/source-age.tsx'
import { SourcePlace } from './components/source-place.tsx'
import { replacedSource } from './uploads/replaced-source.ts'

const TaskDialog = lazy(async () => ({ default: (await import('./editor/task-dialog.tsx')).TaskDialog }))

const DataDialog = lazy(async () => ({ default: (await import('./data/data-dialog.tsx')).DataDialog }))

const ReplaceDialog = lazy(async () => ({
  default: (await import('./uploads/replace-dialog.tsx')).ReplaceDialog,
}))

const ExportDataItem = lazy(async () => ({
  default: (await import('./components/export-data-item.tsx')).ExportDataItem,
}))

/** Descriptor of source tasks for the shared screens. */
export const sourceTaskDescriptor: TaskDescriptor<SourceTask, SourceTaskDetail> = {
  ...sourceTaskModel,
  RowDetail: SourcePlace,
  RowAside: SourceAge,
  fileDrop: {
    isQuestion: (task, files) => replacedSource(task, files) !== null,
    take: async (task, files, client) => {
      const { dropOnTask } = await import('./uploads/drop-on-task.ts')
      await dropOnTask(client, task, files)
    },
    Question: ReplaceDialog,
  },
  MenuItems: ExportDataItem,
  DuplicateDialog: ({ task, onAdded, onClose }) => (
    <TaskDialog task={null} original={task} onClose={onClose} onSaved={({ id }) => onAdded(id)} />
  ),
  EditDialog: ({ task, onClose }) => <TaskDialog task={task} onClose={onClose} onSaved={onClose} />,
  DataDialog,
}
