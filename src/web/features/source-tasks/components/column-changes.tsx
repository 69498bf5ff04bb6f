import { NativeSelect } from '@mantine/core'
import type { ColumnChange, ColumnName } from '../../../../contract/remembered-columns/calls.ts'
import { columnMessages as messages } from '../../../../contract/remembered-columns/client-messages.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import classes from './column-changes.module.css'

type Props = {
  changes: readonly ColumnChange[]
  /** Columns that are read as missing ones if the rows are accepted. */
  names: readonly ColumnName[]
  onNames: (names: ColumnName[]) => void
}

const tones = { missing: 'error', renamed: 'warning', new: 'neutral', shifted: 'error' } as const

/** Columns of waiting rows beside those of the current rows; a user says which new column is a missing one. */
export function ColumnChanges({ changes, names, onNames }: Props) {
  const added = changes.flatMap(({ kind, now }) => (now && kind !== 'shifted' ? [now.name] : []))
  const choose = (read_as: string, column: string) =>
    onNames([
      ...names.filter((one) => one.read_as !== read_as && one.column !== column),
      ...(column === '' ? [] : [{ column, read_as }]),
    ])
  return (
    <>
      <h3 className={classes.title}>{messages.title}</h3>
      <div className={classes.sides}>
        <CardTable
          label={messages.title}
          rows={changes}
          keyOf={({ kind, before, now }) => JSON.stringify([kind, before?.name, now?.name])}
          columns={[
            {
              label: messages.change,
              cell: ({ kind, looks_like }) => (
                <div className={classes.what}>
                  <Badge tone={tones[kind]} label={messages.kinds[kind]} />
                  {looks_like !== null && <small>{messages.looks_like(looks_like)}</small>}
                </div>
              ),
            },
            { label: messages.before, cell: ({ before }) => <Seen column={before} /> },
            {
              label: messages.now,
              cell: ({ kind, before, now }) => (
                <div className={classes.what}>
                  <Seen column={now} />
                  {before && kind !== 'shifted' && added.length > 0 && (
                    <NativeSelect
                      size="xs"
                      aria-label={messages.is_now(before.name)}
                      value={names.find(({ read_as }) => read_as === before.name)?.column ?? ''}
                      data={[
                        { value: '', label: messages.is_gone },
                        ...added.map((name) => ({ value: name, label: `${messages.is_now_label} ${name}` })),
                      ]}
                      onChange={({ currentTarget: { value } }) => choose(before.name, value)}
                    />
                  )}
                </div>
              ),
            },
          ]}
        />
      </div>
    </>
  )
}

function Seen({ column }: { column: ColumnChange['before'] }) {
  if (column === null) return <span className={classes.muted}>{messages.absent}</span>
  const { name, position, values } = column
  return (
    <div className={classes.what}>
      <span>
        <b>{name}</b> <small className={classes.muted}>{messages.place(position)}</small>
      </span>
      {values.length === 0 ? (
        <span className={classes.muted}>{messages.no_values}</span>
      ) : (
        <ul className={classes.values}>
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
