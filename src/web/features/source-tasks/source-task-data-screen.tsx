import { DataPage } from '../../tasks/data/data-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'

export const SourceTaskDataScreen = () => (
  <DescribedTasks as={sourceTaskDescriptor}>
    <DataPage />
  </DescribedTasks>
)
