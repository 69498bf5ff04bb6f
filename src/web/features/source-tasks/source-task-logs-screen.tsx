import { LogsPage } from '../../tasks/history/logs-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { LogRefresh } from './components/log-refresh.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'

export const SourceTaskLogsScreen = () => (
  <DescribedTasks as={sourceTaskDescriptor}>
    <LogsPage actions={(polling) => <LogRefresh {...polling} />} />
  </DescribedTasks>
)
