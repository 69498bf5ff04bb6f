import { lazy } from 'react'
import { isFilePath } from '../../../contract/files/providers.ts'
import type { SourceTaskDetail } from '../../../contract/source-tasks/calls.ts'
import type { PageParts } from '../../tasks/page/task-card.tsx'
import { TaskPage } from '../../tasks/page/task-page.tsx'
import { DescribedTasks } from '../../tasks/task-descriptor.tsx'
import { updateTask } from './components/dialog-calls.ts'
import { IngestEnd, IngestFacts, WaitingAndReceipt } from './components/task-page-parts.tsx'
import { sourceTaskDescriptor } from './descriptor.tsx'

const UploadedFiles = lazy(async () => ({
  default: (await import('./uploads/uploaded-files.tsx')).UploadedFiles,
}))

const Files = ({ task }: { task: SourceTaskDetail }) =>
  task.source_type === 'sheet' && isFilePath(task.spreadsheet_id) ? <UploadedFiles task={task} /> : null

const parts: PageParts<SourceTaskDetail> = {
  State: WaitingAndReceipt,
  Facts: IngestFacts,
  End: IngestEnd,
  History: Files,
  saveNotes: updateTask,
}

export const SourceTaskScreen = () => (
  <DescribedTasks as={sourceTaskDescriptor}>
    <TaskPage parts={parts} />
  </DescribedTasks>
)
