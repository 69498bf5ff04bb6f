import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import type { FoundBeside } from '../plan/cells-beside.ts'
import type { Excess } from './excess.ts'

/** The cells beside the table for which a run is stopped; none for the first run onto a target, or if the task only warns of them. */
export const besideExcess = (
  { definition }: Pick<CopyAttempt, 'definition'>,
  { isFirst }: Pick<Comparison, 'isFirst'>,
  beside: FoundBeside | null,
): Excess[] =>
  beside && !isFirst && definition.on_cells_beside === 'fail'
    ? [{ kind: 'cells_beside', act: messages.leave_beside(beside.cells, beside.example), limit: null }]
    : []
