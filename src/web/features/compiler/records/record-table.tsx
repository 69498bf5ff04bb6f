import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { CompiledRecord } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { CardTable, type Column } from '../../../ui/card-table.tsx'
import { cutText } from './cut-text.ts'
import { fieldNames, fieldText } from './record-fields.ts'
import { RecordFlags } from './record-flags.tsx'
import classes from './record-table.module.css'

// further fields are in the record dialog
const FIELDS_SHOWN = 4

type Props = {
  records: readonly CompiledRecord[]
  /** SKUs of the chosen records. */
  chosen: ReadonlySet<string>
  onChoose: (sku: string, chosen: boolean) => void
  onOpen: (sku: string) => void
  onDelete: (sku: string) => void
}

/** A page of records with their flags and first fields. */
export function RecordTable({ records, chosen, onChoose, onOpen, onDelete }: Props) {
  const zone = useTimeZone()
  const fields = fieldNames(records[0])
    .slice(0, FIELDS_SHOWN)
    .map(
      (name): Column<CompiledRecord> => ({
        label: name,
        cell: (record) => <Value text={fieldText(record, name)} />,
      }),
    )
  return (
    <CardTable
      label="Compiled records"
      rows={records}
      keyOf={({ sku }) => sku}
      columns={[
        {
          label: 'SKU',
          cell: ({ sku }) => (
            <span className={classes.head}>
              <input
                type="checkbox"
                aria-label={`Select ${sku}`}
                checked={chosen.has(sku)}
                onChange={({ currentTarget }) => onChoose(sku, currentTarget.checked)}
              />
              <button type="button" className={classes.sku} onClick={() => onOpen(sku)}>
                {sku}
              </button>
            </span>
          ),
        },
        { label: 'Quality', cell: (record) => <RecordFlags record={record} /> },
        { label: 'Sources', place: 'end', cell: ({ source_count }) => formatNumber(source_count) },
        ...fields,
        { label: 'Updated', cell: ({ updated_at }) => formatMoment(updated_at, zone) },
        {
          label: 'Actions',
          place: 'corner',
          cell: ({ sku }) => (
            <ActionIcon aria-label={`Delete ${sku}`} title="Delete" onClick={() => onDelete(sku)}>
              <IconTrash size={17} />
            </ActionIcon>
          ),
        },
      ]}
    />
  )
}

function Value({ text }: { text: string }) {
  return (
    <span className={classes.value} title={text.length > 40 ? text : undefined}>
      {cutText(text)}
    </span>
  )
}
