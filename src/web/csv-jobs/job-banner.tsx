import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CsvJob } from '../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'

import { ProgressBar } from '../ui/progress-bar.tsx'
import classes from './job-banner.module.css'
import { outcomeOf, stateOf } from './job-labels.ts'
import { isUnfinished, jobQuery } from './jobs.ts'
import { RowTable } from './row-table.tsx'

type Props = {
  job_id: number
  /** Called once when the job has completed or failed. */
  onEnded?: () => void
  /** Available after the end of the job. */
  onDismiss: () => void
}

/** Status of a CSV job: state, progress and result. */
export function JobBanner({ job_id, onEnded, onDismiss }: Props) {
  const { data: job } = useQuery(jobQuery(job_id))
  const ended = job !== undefined && !isUnfinished(job)
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, even if the parent passes a new function
  useEffect(() => {
    if (ended) onEnded?.()
  }, [ended])
  if (job === undefined) return null
  const { tone, label, Icon } = stateOf(job)
  return (
    <section className={classes.banner} data-tone={tone} aria-label={`CSV job ${job_id}`}>
      <div className={classes.line} role="status">
        <Icon size={19} aria-hidden data-turning={job.status === 'running' || undefined} />
        <p>
          <b>{label}</b> {job.filename}
          <small>{ended ? outcomeOf(job) : csvJobMessages.job_progress(job.processed_count)}</small>
        </p>
        {ended && <CloseButton aria-label={`Dismiss CSV job ${job_id}`} onClick={onDismiss} />}
      </div>
      {!ended && (
        <ProgressBar percent={job.status === 'pending' ? null : job.progress} label="Import progress" />
      )}
      {ended && <Rows job={job} />}
    </section>
  )
}

function Rows({ job: { errors, warnings, summary } }: { job: CsvJob }) {
  const { failed = errors.length } = summary
  if (errors.length + warnings.length === 0) return null
  return (
    <details open={errors.length > 0 && errors.length < 6}>
      <summary>Show rows</summary>
      <div className={classes.rows}>
        {errors.length < failed && <p>{csvJobMessages.errors_shown(errors.length, failed)}</p>}
        {errors.length > 0 && <RowTable caption={csvJobMessages.rows_refused(failed)} rows={errors} />}
        {warnings.length > 0 && (
          <RowTable caption={csvJobMessages.rows_remarked(warnings.length)} rows={warnings} />
        )}
      </div>
    </details>
  )
}
