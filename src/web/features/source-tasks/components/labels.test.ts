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
  // a server's clock that is a little behind
  [-3, '1 min old'],
])('rows fetched %d minutes ago are %s', (minutes, text) => {
  expect(ageText(before(minutes), NOW)).toBe(text)
})

test('a task that has fetched nothing has no age, and rows of two days are seen to be old', () => {
  expect(ageText(null, NOW)).toBe('No data yet')
  expect([null, before(2 * DAY - 1), before(2 * DAY)].map((moment) => isStale(moment, NOW))).toEqual([
    false,
    false,
    true,
  ])
})

test('where rows come from is said in words', () => {
  expect(originOf(exampleSourceTask())).toBe('Catalogue master / Products')
  expect(originOf(exampleSourceTask({ spreadsheet_name: '' }))).toBe('Google Sheet / Products')
  expect(originOf(exampleSourceTask({ source_type: 'api', source_identifier: 'prices' }))).toBe(
    'API / prices',
  )
  expect(originOf(exampleSourceTask({ source_type: 'database' }))).toBe('Database / Nothing chosen')
  const internal = { source_type: 'internal', source_identifier: 'config-3' } as const
  expect(originOf(exampleSourceTask({ ...internal, origin_name: 'Web shop' }))).toBe('Internal DB / Web shop')
})

test('a receipt says what was fetched, by whom, and whether it was new', () => {
  const receipt = {
    rows: 1200,
    columns: 3,
    requests: 1,
    is_changed: true,
    hash: '0123456789abcdef',
    duration_ms: 3200,
    account: '',
  }
  // Rows below the minimum are neither new nor the same: they need approval. Earlier receipts do not say so.
  const held = { ...receipt, is_changed: false }
  for (const sentence of [formatReceipt({ ...held, needs_approval: true }), formatReceipt(held, true)]) {
    expect(sentence).toContain('They differ from the rows before and need approval')
    expect(sentence).not.toContain('nothing new')
  }
  expect(formatReceipt({ ...held, needs_approval: false }, true)).toContain('nothing new')
  expect(formatReceipt(receipt)).toBe(
    'Fetched 1,200 rows of 3 columns in 3s, with 1 request. They differ from the rows before. Checksum 0123456789ab.',
  )
  expect(formatReceipt({ ...receipt, is_changed: false, account: 'ada@example.com' })).toContain(
    'with 1 request as ada@example.com. There was nothing new, so the rows stayed as they were.',
  )
})
