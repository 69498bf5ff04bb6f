import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { changesPath } from '../changes/change-filters.ts'
import { recordsPath } from '../records/record-filters.ts'
import classes from './quality.module.css'

type Since = CompilerQuality['since_last']
type Move = NonNullable<Since>['moves'][number]

/** Relative change of a number: "+25%"; a dash if the old value was zero. Dates change by days. */
export function moveText({ from, to, number_format }: Pick<Move, 'from' | 'to' | 'number_format'>): string {
  if (number_format?.type === 'DATE' || number_format?.type === 'DATE_TIME') {
    const days = Math.round(to - from)
    return `${days > 0 ? '+' : ''}${formatNumber(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  }
  if (from === 0) return '–'
  const percent = Math.round(((to - from) / Math.abs(from)) * 100)
  return `${percent > 0 ? '+' : ''}${formatNumber(percent)}%`
}

/** Changes since the previous compile; each count links to its records. */
export function SinceLast({ config_id, since }: { config_id: number; since: Since }) {
  if (since === null) return <p className={classes.note}>{compilerMessages.first_compile}</p>
  const changes = ['added', 'changed', 'gone'] as const
  return (
    <>
      <h3 className={classes.heading}>Since the previous compile</h3>
      <p className={classes.changes}>
        {changes.map((change) => (
          <Link key={change} className={classes.count} to={recordsPath(config_id, { change })}>
            {formatNumber(since[change])} {change}
          </Link>
        ))}
        {since.added + since.changed + since.gone > 0 && (
          <Link className={classes.count} to={changesPath(config_id)}>
            {compilerMessages.see_changes}
          </Link>
        )}
      </p>
      {since.moves_of < since.changed && (since.moves.length > 0 || since.causes.length > 0) && (
        <p className={classes.note}>{compilerMessages.moves_of(since.moves_of)}</p>
      )}
      <Causes config_id={config_id} since={since} />
      {since.moves.length > 0 && (
        <CardTable
          label="Largest number changes"
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
      )}
    </>
  )
}

/** How many records each source has changed in each field; a count leads to these changes. */
function Causes({ config_id, since: { causes } }: { config_id: number; since: NonNullable<Since> }) {
  if (causes.length === 0) return null
  return (
    <CardTable
      label={compilerMessages.causes}
      rows={causes}
      keyOf={({ source, field }) => JSON.stringify([source?.source_task_id, field])}
      columns={[
        { label: 'Field', cell: ({ field }) => field },
        { label: 'Source', cell: ({ source }) => source?.name ?? compilerMessages.no_source },
        {
          label: 'Changed',
          place: 'end',
          cell: ({ source, field, records }) => (
            <Link
              className={classes.count}
              to={changesPath(config_id, {
                kind: 'changed',
                field,
                ...(source && { source: String(source.source_task_id) }),
              })}
            >
              {formatNumber(records)}
            </Link>
          ),
        },
      ]}
    />
  )
}
