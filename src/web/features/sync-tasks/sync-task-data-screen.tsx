import { DataPage } from '../../tasks/data/data-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

export const SyncTaskDataScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <DataPage />
  </DescribedTasks>
)
