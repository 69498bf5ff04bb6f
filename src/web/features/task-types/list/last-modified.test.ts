import { expect, test } from 'vitest'
import { lastModified } from './last-modified.ts'

const now = Date.parse('2026-11-20T15:00:00Z')

test.each([
  ['2026-11-20T14:59:00Z', 'Today'],
  ['2026-11-20T15:00:02Z', 'Today'],
  ['2026-11-20T05:00:00Z', 'Today'],
  ['2026-11-20T04:59:00Z', 'Yesterday'],
  ['2026-11-19T05:00:00Z', 'Yesterday'],
  ['2026-11-18T15:00:00Z', '2 days ago'],
  ['2026-11-14T15:00:00Z', '6 days ago'],
  ['2026-11-13T15:00:00Z', 'Nov 13, 2026'],
  ['2025-11-20T15:00:00Z', 'Nov 20, 2025'],
])('a change at %s is shown as %s in New York', (at, label) => {
  expect(lastModified(at, now, 'America/New_York')).toBe(label)
})

test('days are calendar days, also across a change of daylight saving time', () => {
  const after = Date.parse('2026-11-02T04:30:00Z')
  expect(lastModified('2026-10-31T05:00:00Z', after, 'America/New_York')).toBe('Yesterday')
})
