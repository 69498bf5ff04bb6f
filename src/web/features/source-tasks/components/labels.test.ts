import { expect, test } from 'vitest'
import { exampleSourceTask } from '../../../../../test/fixtures/example-task.ts'
import { ageText, formatReceipt, isStale, originOf } from './labels.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const before = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const HOUR = 60
const DAY = 24 * HOUR

test.each([
  [0, '1 min old'],
  [59, '59 min old'],
  [60, '1 h old'],
  [2 * HOUR + 59, '2 h old'],
  [2 * DAY - 1, '47 h old'],
  [2 * DAY, '2 d old'],
  [400 * DAY, '400 d old'],
  // The server clock is slightly behind.
  [-3, '1 min old'],
])('rows read %d minutes ago are %s', (minutes, text) => {
  expect(ageText(before(minutes), NOW)).toBe(text)
})

test('a task without rows has no age, and rows are marked as stale after two days', () => {
  expect(ageText(null, NOW)).toBe('No data yet')
  expect([null, before(2 * DAY - 1), before(2 * DAY)].map((moment) => isStale(moment, NOW))).toEqual([
    false,
    false,
    true,
  ])
})

test('the origin of rows is described', () => {
  expect(originOf(exampleSourceTask())).toBe('Catalogue master / Products')
  expect(originOf(exampleSourceTask({ spreadsheet_name: '' }))).toBe('Google Sheet / Products')
  const file = { spreadsheet_name: '', spreadsheet_id: 'Suppliers/prices.xlsx' }
  expect(originOf(exampleSourceTask(file))).toBe('File in a folder / Products')
  expect(originOf(exampleSourceTask({ source_type: 'api', source_identifier: 'prices' }))).toBe(
    'API / prices',
  )
  expect(originOf(exampleSourceTask({ source_type: 'database' }))).toBe('Database / Nothing chosen')
  const internal = { source_type: 'internal', source_identifier: 'config-3' } as const
  expect(originOf(exampleSourceTask({ ...internal, origin_name: 'Web shop' }))).toBe('Internal DB / Web shop')
})

test('a receipt says what was read, with whose account, and whether it changed', () => {
  const receipt = {
    rows: 1200,
    columns: 3,
    requests: 1,
    is_changed: true,
    hash: '0123456789abcdef',
    duration_ms: 3200,
    account: '',
  }
  // Rows below the minimum are neither new nor the same: they need approval. Receipts of earlier versions do not say so.
  const unchanged = { ...receipt, is_changed: false }
  for (const text of [
    formatReceipt({ ...unchanged, needs_approval: true }),
    formatReceipt(unchanged, true),
  ]) {
    expect(text).toContain('They differ from the previous rows and need approval')
    expect(text).not.toContain('the same as')
  }
  expect(formatReceipt({ ...unchanged, needs_approval: false }, true)).toContain('the same as')
  expect(formatReceipt(receipt)).toBe(
    'Read 1,200 rows of 3 columns in 3s, with 1 request. They differ from the previous rows. Checksum 0123456789ab.',
  )
  expect(formatReceipt({ ...receipt, is_changed: false, account: 'ada@example.com' })).toContain(
    'with 1 request as ada@example.com. They are the same as the previous rows.',
  )
})
