import { lazy } from 'react'
import type { SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'
import type { PageParts } from '../../tasks/page/task-card.tsx'
import { TaskPage } from '../../tasks/page/task-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { saveNotes } from './api.ts'
import { CopyAccount, CopyFacts, SourceAndReceipt } from './components/task-page-parts.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

const Versions = lazy(async () => ({ default: (await import('./components/versions.tsx')).Versions }))

const parts: PageParts<SyncTaskDetail> = {
  State: SourceAndReceipt,
  Facts: CopyFacts,
  End: CopyAccount,
  History: Versions,
  saveNotes,
}

export const SyncTaskScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <TaskPage parts={parts} />
  </DescribedTasks>
)
