import * as z from 'zod/mini'
import { runLimits } from '../../../../contract/run-limits/calls.ts'
import type { SavedLimits } from '../api.ts'

const { shape } = runLimits.saveDefaults.body

const blankIsNull = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value) => (value === '' ? null : value)),
)

/** Parses the form into the body of the call; a blank number of cells is no limit. */
export const LimitsForm = z.object({
  removed_percent: z.pipe(z.unknown(), shape.removed_percent),
  emptied_percent: z.pipe(z.unknown(), shape.emptied_percent),
  from_rows: z.pipe(z.unknown(), shape.from_rows),
  changed_cells: z.pipe(blankIsNull, shape.changed_cells),
})

type Values = Record<keyof z.output<typeof LimitsForm>, number | string>

export const valuesOf = ({
  removed_percent,
  emptied_percent,
  from_rows,
  changed_cells,
}: SavedLimits): Values => ({
  removed_percent,
  emptied_percent,
  from_rows,
  changed_cells: changed_cells ?? '',
})
