import { Link } from 'react-router'
import type { PipelineTask } from '../../../../contract/pipeline/calls.ts'

const pathOf = ({ category, id, config_id }: PipelineTask): string =>
  ({ sync: `/sync_tasks/${id}`, source: `/source_tasks/${id}`, compiler: `/compiler/${config_id}` })[category]

/** A task by its name, which leads to its page. */
export const TaskLink = ({ task }: { task: PipelineTask }) => <Link to={pathOf(task)}>{task.name}</Link>
