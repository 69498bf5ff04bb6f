import { expect, test } from 'vitest'
import { compilerPageMessages as texts } from './compiler-page-messages.ts'

test.each([
  [texts.save_failed, 'Error saving configuration'],
  [texts.compile_failed, 'Error during compilation. Check console for details.'],
  [texts.delete_record_failed, 'Error deleting record.'],
  [texts.clear_failed('why'), 'Error clearing compiled data: why'],
  [texts.no_data_to_export, 'No data to export.'],
  [texts.export_unchosen, 'Please select a configuration to export its data.'],
  [texts.export_failed, 'Failed to export compiled data to CSV'],
])('%s, word for word', (ours, theirs) => expect(ours).toBe(theirs))

test('a compile that has ended tells the processed rows and unique SKUs', () => {
  expect(texts.compiled(12_345, 1)).toBe('Compiled 12,345 rows into 1 unique SKU.')
})
