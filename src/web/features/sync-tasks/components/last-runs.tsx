import { useInfiniteQuery } from '@tanstack/react-query'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { runsQuery } from '../../../tasks/api.ts'
import classes from '../../../tasks/history/page-section.module.css'
import { RunPicture } from './run-picture.tsx'

/** A picture of the runs that were last, however many older ones are shown elsewhere; nothing before the first run. */
export function LastRuns({ task }: { task: SyncTask }) {
  const runs = useInfiniteQuery(runsQuery(task.id)).data?.pages[0]?.runs ?? []
  if (runs.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="last-runs">
      <h2 id="last-runs">Last runs</h2>
      <RunPicture runs={runs} />
    </section>
  )
}
