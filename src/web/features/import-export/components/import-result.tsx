import type { ImportReply } from '../../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../../contract/csv-jobs/client-messages.ts'

import { RowTable } from '../../../csv-jobs/row-table.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import classes from './import-result.module.css'

const outcomes: Record<string, { tone: Tone; label: string }> = {
  success: { tone: 'success', label: 'Imported' },
  partial_success: { tone: 'warning', label: 'Imported in part' },
  failed: { tone: 'error', label: 'Nothing imported' },
}
const unknown = { tone: 'neutral', label: csvJobMessages.import_status_unknown } as const

/** Result of an import: counts, and the rejected rows with their numbers. */
export function ImportResult({ filename, result }: { filename: string; result: ImportReply }) {
  const { created, updated, unchanged, failed, errors } = result
  return (
    <div className={classes.result}>
      <p className={classes.title}>
        <Badge {...(outcomes[result.status] ?? unknown)} /> <b>{filename}</b>
      </p>
      <dl className={classes.counts}>
        {Object.entries({ created, updated, unchanged, refused: failed }).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {errors.length < failed && <p>{csvJobMessages.errors_shown(errors.length, failed)}</p>}
      {errors.length > 0 && <RowTable caption={csvJobMessages.rows_refused(failed)} rows={errors} />}
    </div>
  )
}
