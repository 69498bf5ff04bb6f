import { beforeEach, expect, test, vi } from 'vitest'
import { addRecent, readRecent } from './recent.ts'

const item = (n: number) => ({
  key: `sync ${n}`,
  kind: 'sync' as const,
  label: `Task ${n}`,
  detail: '',
  to: `/sync_tasks/${n}`,
})
const KEY = 'rowferry.recent'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})

test('the last five destinations are kept, each once, newest first', () => {
  for (const n of [1, 2, 3, 4, 5, 6, 3]) addRecent(1, item(n))
  expect(readRecent(1).map(({ label }) => label)).toEqual(['Task 3', 'Task 6', 'Task 5', 'Task 4', 'Task 2'])
})

test('another user of the browser does not see them', () => {
  addRecent(1, item(1))
  expect(readRecent(2)).toEqual([])
  expect(readRecent(undefined)).toEqual([])
  addRecent(2, item(2))
  expect(readRecent(1)).toEqual([])
})

test('stored text that is not ours is ignored, and so is a URL of another site', () => {
  for (const text of [
    '{',
    '[]',
    JSON.stringify({ user_id: 1, items: [{ ...item(1), to: '//evil.test' }] }),
  ]) {
    localStorage.setItem(KEY, text)
    expect(readRecent(1), text).toEqual([])
  }
})
