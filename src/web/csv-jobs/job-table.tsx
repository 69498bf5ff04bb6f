import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { CsvJob } from '../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'

import { useTimeZone } from '../lib/session.ts'
import { formatLongMoment, formatMoment } from '../lib/time-zone.ts'
import { Badge } from '../ui/badge.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { toast } from '../ui/toast.ts'
import { outcomeOf, stateOf } from './job-labels.ts'
import classes from './job-table.module.css'
import { isUnfinished, saveJobFile } from './jobs.ts'

/** Jobs with their state and result; the result file can be downloaded. */
export function JobTable({ jobs }: { jobs: CsvJob[] }) {
  const zone = useTimeZone()
  const saving = useMutation({ ...saveJobFile, onError: () => toast.error(csvJobMessages.download_failed) })
  return (
    <ul className={classes.jobs}>
      {jobs.map((job) => (
        <li key={job.id}>
          <span className={classes.state}>
            <Badge tone={stateOf(job).tone} label={stateOf(job).label} />
          </span>
          <div className={classes.what}>
            <b>{job.filename}</b>
            <span>{outcomeOf(job)}</span>
            {isUnfinished(job) && (
              <ProgressBar percent={job.progress || null} label={`Progress of ${job.filename}`} />
            )}
          </div>
          <span className={classes.who}>
            {job.created_by}
            <time dateTime={job.created_at} title={formatLongMoment(job.created_at, zone)}>
              {formatMoment(job.created_at, zone)}
            </time>
          </span>
          {job.has_file && (
            <Button
              variant="default"
              size="xs"
              aria-label={
                job.kind === 'import'
                  ? `Save the refused rows of ${job.filename}`
                  : `Download ${job.filename}`
              }
              loading={saving.isPending && saving.variables.id === job.id}
              onClick={() => saving.mutate(job)}
            >
              {job.kind === 'import' ? 'Refused rows' : 'Download'}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
