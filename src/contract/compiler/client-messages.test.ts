import { expect, test } from 'vitest'
import { compilerMessages } from './client-messages.ts'

test.each([
  [compilerMessages.save_failed, 'Error saving configuration'],
  [compilerMessages.compile_failed, 'Error during compilation. Check console for details.'],
  [compilerMessages.delete_record_failed, 'Error deleting record.'],
  [compilerMessages.clear_failed('why'), 'Error clearing compiled data: why'],
  [compilerMessages.no_data_to_export, 'No data to export.'],
  [compilerMessages.export_unchosen, 'Please select a configuration to export its data.'],
  [compilerMessages.export_failed, 'Failed to export compiled data to CSV'],
])('%s, word for word', (ours, theirs) => expect(ours).toBe(theirs))

test('the message of a finished compile states processed rows and unique SKUs', () => {
  expect(compilerMessages.compiled(12_345, 1)).toBe('Compiled 12,345 rows into 1 unique SKU.')
})
