import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import type { CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'

import { RowTable } from '../../../csv-jobs/row-table.tsx'
import { formatNumber } from '../../../lib/format.ts'
import classes from './import-outcome.module.css'

/** Error of a failed import. */
export const ImportFailure = ({ message }: { message: string }) => (
  <section className={classes.panel} data-tone="error" role="alert">
    <h3>
      <IconAlertCircle size={18} aria-hidden />
      {csvJobMessages.import_error}
    </h3>
    <p>{message}</p>
  </section>
)

/** Result of an import: counts, row messages, or the error. */
export function ImportOutcome({ job }: { job: CsvJob }) {
  const { errors, warnings, summary } = job
  const { created = 0, updated = 0, unchanged = 0, skipped = 0, failed = 0 } = summary
  const counts = Object.entries({ created, updated, unchanged, skipped, refused: failed })
  const rows = (
    <>
      {errors.length < failed && <p>{csvJobMessages.errors_shown(errors.length, failed)}</p>}
      {errors.length > 0 && <RowTable caption={csvJobMessages.rows_refused(failed)} rows={errors} />}
    </>
  )
  if (job.status === 'failed')
    return (
      <>
        <ImportFailure
          message={
            errors.length > 0
              ? csvJobMessages.import_validation_errors(errors.slice(0, 3).map(({ message }) => message))
              : (job.error ?? csvJobMessages.import_file_failed)
          }
        />
        {rows}
      </>
    )
  return (
    <section className={classes.panel} data-tone="success" role="status">
      <h3>
        <IconCircleCheck size={18} aria-hidden />
        {csvJobMessages.import_successful}
      </h3>
      <dl className={classes.counts}>
        {counts
          .filter(([name, count]) => count > 0 || name === 'created' || name === 'updated')
          .map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
      </dl>
      {warnings.length > 0 && (
        <RowTable caption={csvJobMessages.rows_remarked(warnings.length)} rows={warnings} />
      )}
      {rows}
    </section>
  )
}
