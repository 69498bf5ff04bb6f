import { expect, test } from 'vitest'
import { exampleTask } from '../../../../../test/fixtures/example-task.ts'
import { formatReceipt, proofOf, sourceOf, targetOf } from './labels.ts'

test('source and target are named by spreadsheet and sheet, an internal source by its compiler configuration', () => {
  expect(sourceOf(exampleTask())).toBe('Catalogue master / Products')
  const internal = exampleTask({ source_type: 'internal', source_compiler_config_name: 'Merged' })
  expect(sourceOf(internal)).toBe('Internal DB / Merged')
  expect(targetOf(exampleTask({ target_ss_name: '' }))).toBe('Google Sheet / Shop')
  expect(targetOf(exampleTask({ split_by: 'Country', split_tab_name: 'Shop {value}' }))).toBe(
    'Web shop / Shop {value}',
  )
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

test('a receipt of rows by key says how many were added, updated, unchanged, missing and skipped', () => {
  const by_key = { added: 1, updated: 20, unchanged: 1979, missing: 3, skipped: 2 }
  const text = formatReceipt({ ...receipt, by_key })
  expect(text).toContain('By key, 1 row added, 20 updated, 1,979 unchanged, 3 missing, 2 skipped.')
  expect(text).toContain('the target holds exactly these rows (aaaaaaaaaaaa)')
  expect(formatReceipt({ ...receipt, by_key: { ...by_key, missing: 0, skipped: 0 } })).toContain(
    '1,979 unchanged. ',
  )
})

test('a receipt does not claim that a differing target equals the source', () => {
  expect(formatReceipt({ ...receipt, target_hash: 'bbbbbbbbbbbbbbbb' })).toContain(
    'the target differs from the source (aaaaaaaaaaaa is not bbbbbbbbbbbb)',
  )
})

test('a receipt of several tabs counts them, and does not compare their checksums with that of the source', () => {
  const tab = { value: 'DE', sheet_name: 'Shop DE', rows: 2, cells_changed: 0, is_cleared: false }
  const tabs = [
    tab,
    { ...tab, value: 'FR', cells_changed: 7 },
    { ...tab, value: 'IT', cells_changed: 3, is_cleared: true },
  ]
  const split = { ...receipt, cells_changed: 10, target_hash: 'bbbbbbbbbbbbbbbb', tabs }
  expect(formatReceipt(split)).toBe(
    'Copied 2,000 rows of 12 columns in 4s. 3 tabs, 2 with changed cells, 1 emptied. ' +
      '10 cells changed, each tab in one step. ' +
      'Read back afterwards, each tab holds exactly its rows. It took 5 reads and 1 write as ada@example.com.',
  )
  expect(formatReceipt({ ...split, mode: 'unchanged', cells_changed: 0, tabs: [tab] })).toContain(
    '1 tab, none with changed cells. The target already held exactly these values',
  )
  expect(proofOf(split)).toBe('As ada@example.com, 3 tabs, 2 with changed cells, 1 emptied')
})
