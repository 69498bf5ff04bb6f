import { expect, test } from 'vitest'
import { exampleTask } from '../../../../../test/fixtures/example-task.ts'
import { displayName, formatReceipt, ownName, sourceOf, targetOf } from './labels.ts'

test('the title of a task is its target sheet, else its source sheet, else its number; its own name is beside it where it differs', () => {
  const task = exampleTask({ id: 7 })
  const labels = (fields: Partial<typeof task>) => {
    const named = { ...task, ...fields }
    return [displayName(named), ownName(named)]
  }
  const own = 'Catalogue nightly'
  expect(labels({})).toEqual(['Shop', own])
  expect(labels({ target_sheet_name: '' })).toEqual(['Products', own])
  expect(labels({ target_sheet_name: '', source_sheet_name: '' })).toEqual(['Sync Task 7', own])
  expect(labels({ name: 'Shop' })).toEqual(['Shop', ''])
})

test('source and target are named by spreadsheet and sheet, an internal source by its compiler configuration', () => {
  expect(sourceOf(exampleTask())).toBe('Catalogue master / Products')
  const internal = exampleTask({ source_type: 'internal', source_compiler_config_name: 'Merged' })
  expect(sourceOf(internal)).toBe('Internal DB / Merged')
  expect(targetOf(exampleTask({ target_ss_name: '' }))).toBe('Google Sheet / Shop')
})

const receipt = {
  rows: 2000,
  columns: 12,
  cells_changed: 1,
  reads: 5,
  writes: 1,
  mode: 'small' as const,
  source_hash: 'aaaaaaaaaaaaaaaa',
  target_hash: 'aaaaaaaaaaaaaaaa',
  duration_ms: 4323,
  account: 'ada@example.com',
}

test('a receipt says what was copied, how, and that the target was read back equal', () => {
  expect(formatReceipt(receipt)).toBe(
    'Copied 2,000 rows of 12 columns in 4s. 1 cell changed, all in one request. ' +
      'Read back afterwards, the target equals the source (aaaaaaaaaaaa). It took 5 reads and 1 write as ada@example.com.',
  )
})

test('a receipt does not claim that a differing target equals the source', () => {
  expect(formatReceipt({ ...receipt, target_hash: 'bbbbbbbbbbbbbbbb' })).toContain(
    'the target differs from the source (aaaaaaaaaaaa is not bbbbbbbbbbbb)',
  )
})
