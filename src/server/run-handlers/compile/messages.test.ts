import { expect, test } from 'vitest'
import { formatReceipt } from './messages.ts'

test('the message of a successful compile has its numbers, with singular for one', () => {
  const receipt = { fields: 7, rows_read: 1_000, duration_ms: 5, records: 1_234, sources: 1 }
  const counts = { added: 1_200, changed: 3, gone: 0, clean: 1_230, blanks: 2, errors: 1, duplicates: 1 }
  expect(formatReceipt({ ...receipt, ...counts })).toBe(
    '1,234 records of 1 source: 1,200 added, 3 changed, 0 gone; 2 with blanks, 1 with errors, 1 duplicate.',
  )
})
