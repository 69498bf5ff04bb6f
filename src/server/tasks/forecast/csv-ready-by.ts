import { z } from 'zod'
import { TimeOfDay } from '../../../contract/fields.ts'
import { cellReaders } from '../../platform/csv/cells.ts'
import type { Cells } from '../../platform/csv/rows.ts'
import { parseInput } from '../../platform/http/parse.ts'

/** CSV column with the time of day by which a task or type has to be ready. */
export const READY_BY_COLUMN = 'ready_by'

const Value = z.object({ ready_by: z.nullable(TimeOfDay) })

/** The time of a row; null if the cell is blank, undefined without the column. Throws NamedError for anything else. */
export function readReadyBy(cells: Cells): string | null | undefined {
  const cell = cells[READY_BY_COLUMN]
  return cell === undefined ? undefined : parseInput(Value, { ready_by: cellReaders.time(cell) }).ready_by
}
