import type { CompileReceipt } from '../../../contract/receipts.ts'

const number = (count: number) => count.toLocaleString('en')

/** How a compile ended well, for its log. */
export function compiled(receipt: CompileReceipt): string {
  const { records, sources, added, changed, gone, blanks, errors, duplicates } = receipt
  return (
    `${number(records)} records of ${number(sources)} ${sources === 1 ? 'source' : 'sources'}: ` +
    `${number(added)} added, ${number(changed)} changed, ${number(gone)} gone; ` +
    `${number(blanks)} with blanks, ${number(errors)} with errors, ${number(duplicates)} duplicates.`
  )
}
