import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { measured } from '../../../../contract/counted.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { recordsPath } from '../records/record-filters.ts'
import classes from './quality.module.css'

type Checked = CompilerQuality['checks'][number]

/** Checks of the last compile with the number of records that fail, which links to them. */
export function ChecksTable({ config_id, checks }: { config_id: number; checks: CompilerQuality['checks'] }) {
  if (checks.length === 0) return null
  return (
    <>
      <h3 className={classes.heading}>Checks</h3>
      <CardTable
        label="Checks"
        rows={checks}
        keyOf={({ check_no }) => String(check_no)}
        columns={[
          { label: 'Check', cell: ({ check_no, sentence }) => `${check_no + 1}. ${sentence}` },
          {
            label: 'Severity',
            cell: ({ check }) => (
              <Badge
                tone={check.severity === 'error' ? 'error' : 'warning'}
                label={check.severity === 'error' ? 'Error' : 'Warning'}
              />
            ),
          },
          {
            label: 'Records that fail',
            place: 'end',
            cell: (row) => <Found config_id={config_id} row={row} />,
          },
        ]}
      />
    </>
  )
}

function Found({ config_id, row: { check_no, records, median } }: { config_id: number; row: Checked }) {
  if (median !== null) {
    const now = median.now === null ? 'none' : measured(median.now)
    return median.has_moved
      ? compilerMessages.median_moved(measured(median.before ?? 0), now)
      : compilerMessages.median(now)
  }
  return (
    <Link className={classes.count} to={recordsPath(config_id, { failed_check: String(check_no) })}>
      {formatNumber(records)}
    </Link>
  )
}
