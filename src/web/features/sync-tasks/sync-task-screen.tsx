import { TaskPage } from '../../tasks/page/task-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

/** One sync task with all that is known of it. */
export const SyncTaskScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <TaskPage />
  </DescribedTasks>
)
