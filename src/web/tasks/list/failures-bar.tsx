import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import classes from './failures-bar.module.css'

type Props = {
  failures: boolean
  /** URL parameters that filter the list to failed tasks. */
  query: string
}

/** Shows whether tasks have failed. Both messages reserve the same space, so that nothing below moves. */
export const FailuresBar = ({ failures, query }: Props) => (
  <div className={classes.bar} data-failures={failures || undefined}>
    <p hidden={!failures}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        {taskMessages.failures_present} <Link to={`?${query}`}>Show them</Link>
      </span>
    </p>
    <p hidden={failures}>
      <IconCircleCheck size={18} aria-hidden />
      <span>{taskMessages.failures_absent}</span>
    </p>
  </div>
)
