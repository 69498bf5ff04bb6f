import { DataPage } from '../../tasks/data/data-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

/** The rows that a sync task copied last. */
export const SyncTaskDataScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <DataPage />
  </DescribedTasks>
)
