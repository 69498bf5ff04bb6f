import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { JobTable } from '../../../csv-jobs/job-table.tsx'
import { isUnfinished, jobsQuery } from '../../../csv-jobs/jobs.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import classes from './recent-type-jobs.module.css'

/** Longer than a page takes to load. */
const JUST_NOW_MS = 60_000

/** Last five imports and exports of sync task types. Refetches the types when an import ends. */
export function RecentTypeJobs() {
  const client = useQueryClient()
  const jobs = useQuery(jobsQuery('sync_task_type'))
  const lastImport = jobs.data?.find((job) => job.kind === 'import' && !isUnfinished(job))
  const { id: last = 0, finished_at = null } = lastImport ?? {}
  const known = useRef<number | null>(null)
  const loaded = jobs.data !== undefined
  useEffect(() => {
    if (!loaded) return
    // The types may have been loaded before an import ended that the first list of jobs shows as ended.
    const isNew =
      known.current === null
        ? finished_at !== null && serverNow() - Date.parse(finished_at) < JUST_NOW_MS
        : known.current !== last
    if (isNew) void client.invalidateQueries({ queryKey: [syncTaskTypes.list.path] })
    known.current = last
  }, [loaded, last, finished_at, client])
  return (
    <section className={classes.jobs} aria-labelledby="type-jobs">
      <h2 id="type-jobs">Last imports and exports</h2>
      {jobs.isPending && <LoadingRows rows={2} label="Loading the last imports and exports" />}
      {jobs.isError && (
        <LoadError
          message={reasonOf(jobs.error, csvJobMessages.fetch_jobs_failed)}
          onRetry={() => jobs.refetch()}
        />
      )}
      {jobs.data?.length === 0 && (
        <EmptyState title={csvJobMessages.no_type_jobs} hint={csvJobMessages.no_type_jobs_hint} level={3} />
      )}
      {jobs.data && jobs.data.length > 0 && <JobTable jobs={jobs.data} />}
    </section>
  )
}
