import { LogsPage } from '../../tasks/history/logs-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { LogRefresh } from './components/log-refresh.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'

/** The log of one source task. */
export const SourceTaskLogsScreen = () => (
  <DescribedTasks as={sourceTaskDescriptor}>
    <LogsPage actions={(id) => <LogRefresh id={id} />} />
  </DescribedTasks>
)
