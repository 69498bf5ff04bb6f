import { Link } from 'react-router'
import type { SyncTaskDetail } from '../../../contract/sync-tasks.ts'
import classes from './page-section.module.css'
import { TaskLog } from './task-log.tsx'

const SHOWN_LINES = 8

/** The newest lines of a task's log, and the way to all of them. */
export function NewestLines({ task }: { task: SyncTaskDetail }) {
  return (
    <section className={classes.section} aria-labelledby="log">
      <div className={classes.head}>
        <h2 id="log">Log</h2>
        <Link to={`/sync_tasks/${task.id}/logs`}>Logs</Link>
      </div>
      {task.logs.length > 0 && <TaskLog entries={task.logs.slice(0, SHOWN_LINES)} />}
    </section>
  )
}
