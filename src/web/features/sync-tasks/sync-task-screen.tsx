import type { SyncTaskDetail } from '../../../contract/sync-tasks/calls.ts'
import type { PageParts } from '../../tasks/page/task-card.tsx'
import { TaskPage } from '../../tasks/page/task-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { CopyAccount, CopyFacts, SourceAndReceipt } from './components/task-page-parts.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

const parts: PageParts<SyncTaskDetail> = { State: SourceAndReceipt, Facts: CopyFacts, End: CopyAccount }

/** One sync task with all that is known of it. */
export const SyncTaskScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <TaskPage parts={parts} />
  </DescribedTasks>
)
