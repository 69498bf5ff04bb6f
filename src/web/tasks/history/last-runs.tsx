import { useInfiniteQuery } from '@tanstack/react-query'
import { useRunModel } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './page-section.module.css'
import { RunPicture } from './run-picture.tsx'
import { runsQuery } from './runs-query.ts'

/** A picture of the runs that were last, however many older ones are shown elsewhere; nothing before the first run. */
export function LastRuns({ task }: { task: Pick<Task, 'id'> }) {
  const runs = useInfiniteQuery(runsQuery(useRunModel(), task.id)).data?.pages[0]?.runs ?? []
  if (runs.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="last-runs">
      <h2 id="last-runs">Last runs</h2>
      <RunPicture runs={runs} />
    </section>
  )
}
