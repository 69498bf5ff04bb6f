import { useInfiniteQuery } from '@tanstack/react-query'
import { useRunModel } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './page-section.module.css'
import { RunChart } from './run-chart.tsx'
import { runsQuery } from './runs-query.ts'

/** Chart of the most recent runs without previews, independent of the page shown in the history; nothing before the first run. */
export function LastRuns({ task }: { task: Pick<Task, 'id'> }) {
  const newest = useInfiniteQuery(runsQuery(useRunModel(), task.id)).data?.pages[0]?.runs ?? []
  const runs = newest.filter(({ is_preview }) => !is_preview)
  if (runs.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="last-runs">
      <h2 id="last-runs">Last runs</h2>
      <RunChart runs={runs} />
    </section>
  )
}
