import { lazy, Suspense, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { BulkBar } from '../../tasks/bulk/bulk-bar.tsx'
import { TaskListPage } from '../../tasks/list/task-list-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

const FirstTask = lazy(async () => ({ default: (await import('./components/first-task.tsx')).FirstTask }))

const FindCellButton = lazy(async () => ({
  default: (await import('../../tasks/lineage/find-cell-button.tsx')).FindCellButton,
}))

const TaskDialog = lazy(async () => ({ default: (await import('./editor/task-dialog.tsx')).TaskDialog }))

/** The list of sync tasks, and the dialog that adds one. */
export function SyncTasksScreen() {
  const [chunkSize, setChunkSize] = useState<number>(limits.chunk_size_default)
  const [demoType, setDemoType] = useState<number | null>(null)
  return (
    <DescribedTasks as={syncTaskDescriptor}>
      <TaskListPage
        actions={(selection) => (
          <>
            <Suspense>
              <FindCellButton />
            </Suspense>
            <BulkBar selection={selection} />
          </>
        )}
        empty={(onAdd) => (
          <FirstTask
            onAdd={onAdd}
            onDemo={(type_id) => {
              setDemoType(type_id)
              onAdd()
            }}
          />
        )}
        addDialog={({ onAdded, onClose }) => (
          <TaskDialog
            task={null}
            chunkSize={chunkSize}
            demoType={demoType}
            onClose={() => {
              setDemoType(null)
              onClose()
            }}
            onSaved={({ id }) => {
              setDemoType(null)
              setChunkSize(limits.chunk_size_after_save)
              onAdded(id)
            }}
          />
        )}
      />
    </DescribedTasks>
  )
}
