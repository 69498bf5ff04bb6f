import type { SourceTaskDetail } from '../../../contract/source-tasks/calls.ts'
import type { PageParts } from '../../tasks/page/task-card.tsx'
import { TaskPage } from '../../tasks/page/task-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { PullAccount, PullFacts, WaitingAndReceipt } from './components/task-page-parts.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'

const parts: PageParts<SourceTaskDetail> = { State: WaitingAndReceipt, Facts: PullFacts, End: PullAccount }

/** One source task with all that is known of it. */
export const SourceTaskScreen = () => (
  <DescribedTasks as={sourceTaskDescriptor}>
    <TaskPage parts={parts} />
  </DescribedTasks>
)
