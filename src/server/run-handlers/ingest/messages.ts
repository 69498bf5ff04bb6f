import type { IngestReceipt } from '../../../contract/runs/receipts.ts'
import { count, seconds, tableSize } from '../messages.ts'

/** What became of the ingested rows. */
export type Outcome = 'new' | 'unchanged' | 'needs_approval'

/** The message of a successful run; `current_rows` null: the task had no rows. */
export function formatOutcome(outcome: Outcome, receipt: IngestReceipt, current_rows: number | null): string {
  const size = tableSize(receipt.rows, receipt.columns)
  const cost = `${count(receipt.requests, 'request')} in ${seconds(receipt.duration_ms)}.`
  if (outcome === 'unchanged') return `Read ${size}, the same as before. ${cost}`
  if (outcome === 'new') return `Read ${size}. ${cost}`
  const former = current_rows === null ? '' : ` The previous ${count(current_rows, 'row')} are still used.`
  return `Read ${size}, which need approval.${former} ${cost}`
}
