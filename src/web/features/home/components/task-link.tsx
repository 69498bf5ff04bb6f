import { Link } from 'react-router'
import type { PipelineTask } from '../../../../contract/pipeline/calls.ts'
import { taskTitle } from '../../../../contract/titles/task-title.ts'
import { TitledTask } from '../../../ui/titled-task.tsx'

const pathOf = ({ category, id, config_id }: PipelineTask): string =>
  ({ sync: `/sync_tasks/${id}`, source: `/source_tasks/${id}`, compiler: `/compiler/${config_id}` })[category]

/** Link to a task's page. */
export const TaskLink = ({ task }: { task: PipelineTask }) => (
  <Link to={pathOf(task)}>
    <TitledTask {...taskTitle(task)} />
  </Link>
)
