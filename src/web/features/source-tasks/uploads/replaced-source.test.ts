import { expect, test } from 'vitest'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { replacedSource } from './replaced-source.ts'

const reading = (spreadsheet_id: string, fields: Partial<SourceTask> = {}) =>
  ({
    source_type: 'sheet',
    spreadsheet_id,
    spreadsheet_name: 'Stock',
    sheet_name: 'May',
    ...fields,
  }) as SourceTask
const dropped = [{ name: 'prices.csv' }]

test.each([
  [reading('1AbC'), 'Stock / May (Google Sheet)'],
  [reading('Suppliers/prices.csv'), 'Stock / May (File in a folder)'],
  [reading('Uploads/7/january.csv'), 'Stock / May (Uploaded file)'],
  [reading('Uploads/7/prices.csv'), null],
  [reading(''), null],
  [reading('', { source_type: 'api' }), null],
])('a file that is dropped on %o replaces %s', (task, replaced) => {
  expect(replacedSource(task, dropped)).toBe(replaced)
})

test('several files replace nothing: they are refused', () => {
  expect(replacedSource(reading('1AbC'), [...dropped, { name: 'stock.csv' }])).toBe(null)
})
