import type { CompileReceipt } from '../../../contract/runs/receipts.ts'
import { count } from '../messages.ts'

const number = (n: number) => n.toLocaleString('en')

/** A successful compile in one line, for its log. */
export function formatReceipt(receipt: CompileReceipt): string {
  const { records, sources, added, changed, gone, blanks, errors, duplicates } = receipt
  return (
    `${count(records, 'record')} of ${count(sources, 'source')}: ` +
    `${number(added)} added, ${number(changed)} changed, ${number(gone)} gone; ` +
    `${number(blanks)} with blanks, ${number(errors)} with errors, ${count(duplicates, 'duplicate')}.`
  )
}
