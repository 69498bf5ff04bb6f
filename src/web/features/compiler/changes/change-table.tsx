import { Link } from 'react-router'
import type { RecordChange } from '../../../../contract/compiler/changes.ts'
import { compilerMessages as messages } from '../../../../contract/compiler/client-messages.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { recordsPath } from '../records/record-filters.ts'
import classes from './change-table.module.css'

type Props = { config_id: number; changes: readonly RecordChange[] }

/** Changes of a compile: the value before and after, and the source. A SKU leads to its record; records that are gone have their last values there. */
export const ChangeTable = ({ config_id, changes }: Props) => (
  <CardTable
    label="Changes"
    rows={changes}
    keyOf={({ kind, sku, field }) => JSON.stringify([kind, sku, field])}
    columns={[
      {
        label: 'SKU',
        cell: ({ sku, kind }) => (
          <Link className={classes.sku} to={pathOf(config_id, { sku, kind })}>
            {sku}
          </Link>
        ),
      },
      {
        label: 'Change',
        cell: ({ kind }) => (
          <span className={classes.kind} data-kind={kind}>
            {messages.change_kinds[kind]}
          </span>
        ),
      },
      { label: 'Field', cell: ({ field }) => field ?? '' },
      { label: 'Before', place: 'wide', cell: ({ before }) => <Value {...before} /> },
      { label: 'After', place: 'wide', cell: ({ after }) => <Value {...after} /> },
      {
        label: 'Source',
        cell: ({ sources }) => sources.map(({ name }) => name).join(', ') || messages.no_source,
      },
    ]}
  />
)

const pathOf = (config_id: number, { sku, kind }: Pick<RecordChange, 'sku' | 'kind'>) =>
  kind === 'gone'
    ? recordsPath(config_id, { change: 'gone', sku_search: sku })
    : `${recordsPath(config_id, { sku_search: sku })}&record=${encodeURIComponent(sku)}`

function Value({ value, number_format }: RecordChange['before']) {
  if (value === null) return <span className={classes.blank}>–</span>
  return <span className={classes.value}>{cellText(value, number_format)}</span>
}
