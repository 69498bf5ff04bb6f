import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { recordsPath } from '../records/record-filters.ts'
import classes from './quality.module.css'

type Since = CompilerQuality['since_last']
type Move = NonNullable<Since>['moves'][number]

/** By how much a number has moved, of what it was: "+25%"; a dash where it was nothing. A date by its days. */
export function moveText({ from, to, number_format }: Pick<Move, 'from' | 'to' | 'number_format'>): string {
  if (number_format?.type === 'DATE' || number_format?.type === 'DATE_TIME') {
    const days = Math.round(to - from)
    return `${days > 0 ? '+' : ''}${formatNumber(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  }
  if (from === 0) return '–'
  const percent = Math.round(((to - from) / Math.abs(from)) * 100)
  return `${percent > 0 ? '+' : ''}${formatNumber(percent)}%`
}

/** What has changed since the compile before; each number leads to its records. */
export function SinceLast({ config_id, since }: { config_id: number; since: Since }) {
  if (since === null) return <p className={classes.note}>{compilerMessages.first_compile}</p>
  const changes = ['added', 'changed', 'gone'] as const
  return (
    <>
      <h3 className={classes.heading}>Since the compile before</h3>
      <p className={classes.changes}>
        {changes.map((change) => (
          <Link key={change} className={classes.count} to={recordsPath(config_id, { change })}>
            {formatNumber(since[change])} {change}
          </Link>
        ))}
      </p>
      {since.moves.length > 0 && (
        <>
          {since.moves_of < since.changed && (
            <p className={classes.note}>{compilerMessages.moves_of(since.moves_of)}</p>
          )}
          <CardTable
            label="Largest moves of numbers"
            rows={since.moves}
            keyOf={({ source, field, sku }) => JSON.stringify([source.source_task_id, field, sku])}
            columns={[
              {
                label: 'SKU',
                cell: ({ sku }) => (
                  <Link
                    className={classes.count}
                    to={`${recordsPath(config_id, { sku_search: sku })}&record=${encodeURIComponent(sku)}`}
                  >
                    {sku}
                  </Link>
                ),
              },
              { label: 'Source', cell: ({ source }) => source.name },
              { label: 'Field', cell: ({ field }) => field },
              {
                label: 'From',
                place: 'end',
                cell: ({ from, number_format }) => cellText(from, number_format),
              },
              { label: 'To', place: 'end', cell: ({ to, number_format }) => cellText(to, number_format) },
              { label: 'Move', place: 'end', cell: moveText },
            ]}
          />
        </>
      )}
    </>
  )
}
