import * as z from 'zod/mini'
import { AllLimits, NO_LIMITS, type RunLimits } from '../../../../contract/run-limits/calls.ts'

/** Values of limits in the form: a blank number is the default, lists have one name a line. */
export type LimitValues = {
  removed_percent: number | string
  emptied_percent: number | string
  from_rows: number | string
  changed_cells: number | string
  required_columns: string
  filled_columns: string
  unique_column: string
}

const { shape } = AllLimits

const blankIsNull = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value) => (value === '' ? null : value)),
)
const lines = z.pipe(
  z.string(),
  z.transform((text) => text.split('\n').filter((line) => line.trim() !== '')),
)

/** Schemas of these values; their output is as in a request. */
export const limitFields = {
  removed_percent: z.pipe(blankIsNull, shape.removed_percent),
  emptied_percent: z.pipe(blankIsNull, shape.emptied_percent),
  from_rows: z.pipe(blankIsNull, shape.from_rows),
  changed_cells: z.pipe(blankIsNull, shape.changed_cells),
  required_columns: z.pipe(lines, shape.required_columns),
  filled_columns: z.pipe(lines, shape.filled_columns),
  unique_column: z.pipe(
    z.pipe(
      z.string(),
      z.transform((name) => (name.trim() === '' ? null : name)),
    ),
    shape.unique_column,
  ),
}

/** Moves the limits of a parsed form into one member, as a request has them. */
export function withLimits<T extends AllLimits>({
  removed_percent,
  emptied_percent,
  from_rows,
  changed_cells,
  required_columns,
  filled_columns,
  unique_column,
  ...task
}: T) {
  return {
    ...task,
    limits: {
      removed_percent,
      emptied_percent,
      from_rows,
      changed_cells,
      required_columns,
      filled_columns,
      unique_column,
    },
  }
}

/** Form values of limits. */
export function limitValues(limits: RunLimits): LimitValues {
  const all = { ...NO_LIMITS, ...limits }
  return {
    removed_percent: all.removed_percent ?? '',
    emptied_percent: all.emptied_percent ?? '',
    from_rows: all.from_rows ?? '',
    changed_cells: all.changed_cells ?? '',
    required_columns: all.required_columns.join('\n'),
    filled_columns: all.filled_columns.join('\n'),
    unique_column: all.unique_column ?? '',
  }
}

const names = Object.keys(limitFields)

/** Number of limits that the form sets. */
export const countLimits = (values: LimitValues): number =>
  Object.entries(values).filter(([name, value]) => names.includes(name) && String(value).trim() !== '').length

/** Field of the form for a field of a request. */
export const formField = (path: string): string => {
  const [top = '', member] = path.split('.')
  return top === 'limits' && member !== undefined ? member : top
}
