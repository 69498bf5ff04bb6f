import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'

import { OriginType } from '../../../contract/source-tasks/edits.ts'
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

// Initial values of a new task, passed by pages that link here.
const NewTask = z.object({
  add: z.object({ name: z.string(), source_type: OriginType, source_identifier: z.string() }),
})

/** The list of source tasks, and the dialog that adds one. */
export function SourceTasksScreen() {
  const [reordering, setReordering] = useState(false)
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const known = NewTask.safeParse(state).data?.add ?? null
  const forget = () => {
    if (known) void navigate({ search }, { replace: true, state: null })
  }
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
        foot={(selection) => (
          <Suspense>
            <ListFoot selection={selection} />
          </Suspense>
        )}
        empty={(onAdd) => (
          <EmptyState title={sourceMessages.none_yet} hint={sourceMessages.none_yet_hint}>
            <Button onClick={onAdd}>Add Source Task</Button>
          </EmptyState>
        )}
        adding={known !== null}
        addDialog={({ onAdded, onClose }) => (
          <TaskDialog
            task={null}
            known={known}
            onClose={() => {
              forget()
              onClose()
            }}
            onSaved={({ id }) => {
              forget()
              onAdded(id)
            }}
          />
        )}
      />
    </DescribedTasks>
  )
}
