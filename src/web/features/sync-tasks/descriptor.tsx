import { Menu } from '@mantine/core'
import { IconCircleDashedCheck } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SyncTask, SyncTaskDetail } from '../../../contract/sync-tasks.ts'
import type { TaskDescriptor } from '../../tasks/task-descriptor.tsx'
import { syncTaskModel } from './components/model.ts'
import { Readiness } from './components/readiness.tsx'
import { TaskPlaces } from './components/task-places.tsx'
import { useCheckReadiness } from './components/use-readiness.ts'

const TaskDialog = lazy(async () => ({ default: (await import('./components/task-dialog.tsx')).TaskDialog }))

const TaskAccount = lazy(async () => ({
  default: (await import('./components/task-account.tsx')).TaskAccount,
}))

const SourceAndReceipt = lazy(async () => ({
  default: (await import('./components/task-page-parts.tsx')).SourceAndReceipt,
}))

const CopyFacts = lazy(async () => ({
  default: (await import('./components/task-page-parts.tsx')).CopyFacts,
}))

/** Sync tasks, as the shared screens show them. */
export const syncTaskDescriptor: TaskDescriptor<SyncTask, SyncTaskDetail> = {
  ...syncTaskModel,
  RowDetail: TaskPlaces,
  RowAside: Readiness,
  MenuItems: CheckReadinessItem,
  PageState: SourceAndReceipt,
  PageFacts: CopyFacts,
  PageEnd: TaskAccount,
  EditDialog: ({ task, onClose }) => (
    <TaskDialog task={task} chunkSize={task.chunk_size} onClose={onClose} onSaved={onClose} />
  ),
}

function CheckReadinessItem({ task }: { task: SyncTask }) {
  const check = useCheckReadiness(task)
  return (
    <Menu.Item leftSection={<IconCircleDashedCheck size={16} />} onClick={check}>
      Check readiness
    </Menu.Item>
  )
}
