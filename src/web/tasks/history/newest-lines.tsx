import { Link } from 'react-router'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { useDescriptor } from '../task-descriptor.tsx'
import type { Detailed, Task } from '../task-model.ts'
import classes from './page-section.module.css'
import { TaskLog } from './task-log.tsx'

const SHOWN_LINES = 8

/** The newest log entries of a task, with a link to all of them. */
export function NewestLines({ task }: { task: Detailed<Task> }) {
  const { path } = useDescriptor()
  return (
    <section className={classes.section} aria-labelledby="log">
      <div className={classes.head}>
        <h2 id="log">Log</h2>
        <Link to={`${path}/${task.id}/logs`}>Logs</Link>
      </div>
      {task.logs.length > 0 ? (
        <TaskLog task_id={task.id} entries={task.logs.slice(0, SHOWN_LINES)} />
      ) : (
        <p className={classes.none}>{taskMessages.no_logs}</p>
      )}
    </section>
  )
}
