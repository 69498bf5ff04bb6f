import { Link } from 'react-router'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import type { TypeNode } from '../../../../contract/type-graph/calls.ts'
import { formatCount } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { statesOf } from '../graph/type-labels.ts'
import classes from './type-work.module.css'

const MAX_STATES = 3

type Props = {
  type: TaskType
  /** Its node in the graph, with the states of its tasks; undefined until it is loaded. */
  node: TypeNode | undefined
  /** Whether the next run of its schedule is shown; not where it is shown already. */
  withNext?: boolean
}

/** What a type has: its tasks as a link, the states of their last runs (live ones and failures first), and its next run. */
export function TypeWork({ type, node, withNext = false }: Props) {
  const zone = useTimeZone()
  const { tasks_count, next_run, task_category } = type
  const tasks = formatCount(tasks_count, 'task')
  const states = node ? statesOf(node).slice(0, MAX_STATES) : []
  return (
    <span className={classes.work}>
      {task_category === 'compiler' ? (
        <Link to="/compiler">{taskTypeMessages.open_compiler}</Link>
      ) : tasks_count > 0 ? (
        <Link to={`/${task_category}_tasks?type=${type.id}`}>{tasks}</Link>
      ) : (
        tasks
      )}
      {states.map(({ label, tone, count }) => (
        <Badge key={label} tone={tone} label={label} count={count} />
      ))}
      {withNext && next_run && (
        <span>
          Next run {formatMoment(next_run, zone)} {zoneLabel(zone)}
        </span>
      )}
    </span>
  )
}
