import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { sourceMessages } from '../../../contract/source-page-messages.ts'
import { SourceStatusSkeleton } from '../../schedules/source-status-skeleton.tsx'
import { TaskListPage } from '../../tasks/list/task-list-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { EmptyState, LoadingRows } from '../../ui/states.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'
import { ListOptions } from './head/list-options.tsx'

const SourceStatusBar = lazy(async () => ({
  default: (await import('../../schedules/source-status-bar.tsx')).SourceStatusBar,
}))

const ListFoot = lazy(async () => ({ default: (await import('./head/list-foot.tsx')).ListFoot }))

const TaskDialog = lazy(async () => ({ default: (await import('./editor/task-dialog.tsx')).TaskDialog }))

const ReorderList = lazy(async () => ({ default: (await import('./head/reorder-list.tsx')).ReorderList }))

/** The list of source tasks, and the dialog that adds one. */
export function SourceTasksScreen() {
  const [reordering, setReordering] = useState(false)
  return (
    <DescribedTasks as={sourceTaskDescriptor}>
      <TaskListPage
        actions={() => <ListOptions reordering={reordering} onReordering={setReordering} />}
        top={
          <Suspense fallback={<SourceStatusSkeleton />}>
            <SourceStatusBar />
          </Suspense>
        }
        instead={
          reordering
            ? (groups) => (
                <Suspense fallback={<LoadingRows label="Loading the order" />}>
                  <ReorderList groups={groups} />
                </Suspense>
              )
            : null
        }
        foot={(tasks) => (
          <Suspense>
            <ListFoot tasks={tasks} />
          </Suspense>
        )}
        empty={(onAdd) => (
          <EmptyState title={sourceMessages.none_yet} hint={sourceMessages.none_yet_hint}>
            <Button onClick={onAdd}>Add Source Task</Button>
          </EmptyState>
        )}
        addDialog={({ onAdded, onClose }) => (
          <TaskDialog task={null} onClose={onClose} onSaved={({ id }) => onAdded(id)} />
        )}
      />
    </DescribedTasks>
  )
}
