import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { CsvJob } from '../../../../contract/csv-jobs.ts'
import { messages } from '../../../../contract/messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { toast } from '../../../ui/toast.ts'
import { saveRefusedRows } from '../api.ts'
import classes from './job-table.module.css'

// `running` is shown as Processing, wherever a job is shown.
const states: Record<CsvJob['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'neutral', label: 'Pending' },
  running: { tone: 'running', label: 'Processing' },
  completed: { tone: 'success', label: 'Completed' },
  failed: { tone: 'error', label: 'Failed' },
}

const stateOf = ({ status, errors }: CsvJob) =>
  status === 'completed' && errors.length > 0
    ? ({ tone: 'warning', label: 'Completed' } as const)
    : states[status]

/** Imports with their end; what they refused can be saved as a file. */
export function JobTable({ jobs }: { jobs: CsvJob[] }) {
  const zone = useTimeZone()
  const saving = useMutation({ ...saveRefusedRows, onError: () => toast.error(messages.download_failed) })
  return (
    <ul className={classes.jobs}>
      {jobs.map((job) => (
        <li key={job.id}>
          <Badge {...stateOf(job)} />
          <div className={classes.what}>
            <b>{job.filename}</b>
            <span>{describe(job)}</span>
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
              aria-label={`Save the refused rows of ${job.filename}`}
              loading={saving.isPending && saving.variables.id === job.id}
              onClick={() => saving.mutate(job)}
            >
              Refused rows
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function describe({ error, summary }: CsvJob): string {
  if (error !== null) return error
  const { created = 0, updated = 0, unchanged = 0, failed = 0 } = summary
  const done = messages.import_counts({ created, updated, unchanged })
  return failed > 0 ? `${done}, ${messages.rows_refused(failed)}` : done
}
