import { Autocomplete, NativeSelect, NumberInput } from '@mantine/core'
import { limits } from '../../../../contract/limits.ts'
import type { SortColumn } from '../../../../contract/rows/row-settings.ts'
import { LineList } from '../../../ui/line-list.tsx'

type Props = {
  sort_by: readonly SortColumn[]
  /** Blank: all. */
  max_rows: number | string
  columns: readonly string[]
  onChange: (values: { sort_by?: SortColumn[]; max_rows?: number | string }) => void
}

/** Order of the rows, and how many of them are copied. */
export const OrderField = ({ sort_by, max_rows, columns, onChange }: Props) => (
  <>
    <LineList<SortColumn>
      name="Order"
      lines={sort_by}
      blank={{ column: '', descending: false }}
      onChange={(lines) => onChange({ sort_by: lines })}
    >
      {(line, change, number) => (
        <>
          <Autocomplete
            aria-label={`Column of order ${number}`}
            placeholder="Column"
            data={[...columns]}
            value={line.column}
            onChange={(column) => change({ ...line, column })}
          />
          <NativeSelect
            aria-label={`Direction of order ${number}`}
            data={[
              { value: 'up', label: 'smallest first' },
              { value: 'down', label: 'largest first' },
            ]}
            value={line.descending ? 'down' : 'up'}
            onChange={({ currentTarget: { value } }) => change({ ...line, descending: value === 'down' })}
          />
        </>
      )}
    </LineList>
    <NumberInput
      label="Maximum number of rows"
      placeholder="All"
      w={220}
      min={1}
      max={limits.start_row_max}
      allowDecimal={false}
      thousandSeparator=","
      value={max_rows}
      onChange={(value) => onChange({ max_rows: value })}
    />
  </>
)
