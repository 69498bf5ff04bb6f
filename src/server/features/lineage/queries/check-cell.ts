import type { WrittenCell } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { OriginFailure } from '../../../connectors/connector.ts'
import { dateText } from '../../../snapshots/date-text.ts'
import type { TargetTask } from './target-tasks.ts'
import type { TabCell } from './written-cell.ts'

const LIMIT_MS = 10_000
const SHOWN_CHARACTERS = 200

/** Reads one cell of a target as it is now; a formula as text that begins with "=". Row and column count from 0. Throws OriginFailure. */
export type ReadCell = (
  cell: {
    provider: string
    spreadsheet_id: string
    place: string | null
    sheet_name: string
    account_user_id: number | null
    relevant_user_accounts: string[]
    row: number
    column: number
  },
  signal: AbortSignal,
) => Promise<CellValue>

/** Reads a cell of a target from its provider, within ten seconds, and says whether it is as it was written. */
export async function checkCell(
  readCell: ReadCell,
  task: TargetTask,
  { row, column, written }: TabCell & { written: WrittenCell },
  signal: AbortSignal,
): Promise<WrittenCell['edited']> {
  // The task does not own other cells, and the right to read its data does not include them.
  if (written.state !== 'value' && written.state !== 'header')
    return { is_edited: null, text: messages.check_outside }
  const { tab_id: place, ...target } = task
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const now = await readCell({ ...target, place, row: row - 1, column }, AbortSignal.any([signal, limit]))
    if (now === written.value) return { is_edited: false, text: messages.as_written }
    return { is_edited: true, text: messages.edited(shown(now, written)) }
  } catch (error) {
    if (limit.aborted) return { is_edited: null, text: messages.not_checked(messages.check_too_slow) }
    if (!(error instanceof OriginFailure)) throw error
    return { is_edited: null, text: messages.not_checked(error.message) }
  }
}

function shown(value: CellValue, { number_format }: WrittenCell): string {
  if (value === null) return messages.blank
  const text = String(dateText(value, number_format))
  return `“${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`
}
