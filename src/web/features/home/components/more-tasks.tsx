import { Link } from 'react-router'
import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import {
  pipelineMessages as messages,
  tasksByCategory,
} from '../../../../contract/pipeline/client-messages.ts'
import classes from '../attention/attention.module.css'
import { pathOfState } from './list-paths.ts'

type Props = Pick<PipelineState, 'attention' | 'stages'> & { counts: PipelineState['attention_counts'] }

/** How many tasks are in groups that are not shown, with links to the lists of failed tasks. */
export function MoreTasks({ attention, counts, stages }: Props) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const more = all - attention.reduce((sum, { count }) => sum + count, 0)
  if (more <= 0) return null
  const failing = (['source', 'compiler', 'sync'] as const).filter((one) => stages[one].failed > 0)
  return (
    <p className={classes.rest}>
      {messages.more(more)}
      {failing.map((category) => (
        <Link key={category} to={pathOfState(category, 'failed')}>
          {messages.failed_of(
            tasksByCategory({ source: 0, compiler: 0, sync: 0, [category]: stages[category].failed }),
          )}
        </Link>
      ))}
    </p>
  )
}
