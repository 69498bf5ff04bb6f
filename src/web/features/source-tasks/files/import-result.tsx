import { Alert } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'

import { outcomeOf } from '../../../csv-jobs/job-labels.ts'
import { RowTable } from '../../../csv-jobs/row-table.tsx'
import type { ImportResult } from './import-tasks.ts'

/** Result of an import: summary or error, and the first hundred rejected rows. */
export function ImportResultView({ result: { summary, reason, job } }: { result: ImportResult }) {
  const errors = job?.errors.slice(0, limits.csv_errors_shown) ?? []
  const refused = Math.max(job?.summary.failed ?? 0, job?.errors.length ?? 0)
  return (
    <>
      {reason === null ? (
        <Alert role="status" icon={<IconCircleCheck />} title={summary}>
          {job && outcomeOf(job)}
        </Alert>
      ) : (
        <Alert role="alert" color="red" icon={<IconAlertCircle />} title={summary}>
          {reason}
        </Alert>
      )}
      {errors.length < refused && <p>{sourceMessages.errors_cut(refused)}</p>}
      {errors.length > 0 && <RowTable caption={csvJobMessages.rows_refused(refused)} rows={errors} />}
      {job && job.warnings.length > 0 && (
        <RowTable caption={csvJobMessages.rows_remarked(job.warnings.length)} rows={job.warnings} />
      )}
    </>
  )
}
