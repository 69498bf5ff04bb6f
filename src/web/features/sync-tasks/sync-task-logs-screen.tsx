import { LogsPage } from '../../tasks/history/logs-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { syncTaskDescriptor } from './descriptor.tsx'

export const SyncTaskLogsScreen = () => (
  <DescribedTasks as={syncTaskDescriptor}>
    <LogsPage />
  </DescribedTasks>
)
