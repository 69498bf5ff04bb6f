import { NativeSelect, TextInput } from '@mantine/core'
import { extraColumnLabels } from '../../../../contract/rows/describe.ts'
import type { ExtraColumn } from '../../../../contract/rows/row-settings.ts'
import { LineList } from '../../../ui/line-list.tsx'

const kinds = ['constant', 'source_name', 'row_number', 'run_time'] as const
const choices = kinds.map((value) => ({ value, label: extraColumnLabels[value] }))

const BLANK: ExtraColumn = { kind: 'constant', name: '', value: '' }

/** Columns that the source does not have. */
export const ExtraColumnsField = ({
  columns,
  onChange,
}: {
  columns: readonly ExtraColumn[]
  onChange: (columns: ExtraColumn[]) => void
}) => (
  <LineList<ExtraColumn> name="Column" lines={columns} blank={BLANK} onChange={onChange}>
    {(column, change, number) => (
      <>
        <TextInput
          aria-label={`Name of extra column ${number}`}
          placeholder="Name in the target"
          value={column.name}
          onChange={({ currentTarget: { value } }) => change({ ...column, name: value })}
        />
        <NativeSelect
          aria-label={`Content of extra column ${number}`}
          data={choices}
          value={column.kind}
          onChange={({ currentTarget: { value } }) => change(ofKind(column, value))}
        />
        {column.kind === 'constant' && (
          <TextInput
            aria-label={`Text of extra column ${number}`}
            placeholder="Text"
            value={column.value}
            onChange={({ currentTarget: { value } }) => change({ ...column, value })}
          />
        )}
      </>
    )}
  </LineList>
)

function ofKind({ name }: ExtraColumn, value: string): ExtraColumn {
  const kind = kinds.find((one) => one === value) ?? 'constant'
  return kind === 'constant' ? { kind, name, value: '' } : { kind, name }
}
