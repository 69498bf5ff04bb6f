import type { IngestReceipt } from '../../../contract/runs/receipts.ts'
import { count, seconds, tableSize } from '../messages.ts'

/** What became of the ingested rows. */
export type Outcome = 'new' | 'unchanged' | 'held'

/** The message of a successful run; `current_rows` null: the task had no rows. */
export function formatOutcome(outcome: Outcome, receipt: IngestReceipt, current_rows: number | null): string {
  const size = tableSize(receipt.rows, receipt.columns)
  const cost = `${count(receipt.requests, 'request')} in ${seconds(receipt.duration_ms)}.`
  if (outcome === 'unchanged') return `Nothing new: the ${size} stay as they are. ${cost}`
  if (outcome === 'new') return `Fetched ${size}. ${cost}`
  const former = current_rows === null ? '' : ` The ${count(current_rows, 'row')} from before stay current.`
  return `Fetched ${size}, which wait for a person to accept them.${former} ${cost}`
}
