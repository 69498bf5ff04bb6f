import { expect, test } from 'vitest'
import type { LogLine } from '../../../../contract/dev-logs/calls.ts'
import { filterLines, readLineFilters, writeLineFilters } from './line-filters.ts'

const line = (level: LogLine['level'], message: string, details = ''): LogLine => ({
  level,
  time: null,
  message,
  details,
})
const request = (path: string) => line('info', 'request', JSON.stringify({ method: 'GET', path }))
const lines = [
  request('/assets/index-1.js'),
  request('/favicon.svg'),
  request('/api/sync_tasks'),
  line('debug', 'Polling'),
  line('warn', 'Slow', '{"ms":12}'),
  line('text', 'Segmentation fault'),
  line('error', 'Broken'),
]
const none = { search: '', minLevel: null, assets: false }
const texts = (filters: Partial<typeof none> | object) =>
  filterLines(lines, { ...none, ...filters }).map(({ message, details }) => message + details)

test('requests for static files are hidden unless selected', () => {
  expect(texts({})).toHaveLength(5)
  expect(texts({})).not.toContain(expect.stringContaining('/assets/'))
  expect(texts({ assets: true })).toHaveLength(7)
})

test('a level includes more severe lines; a line of another format counts as a warning', () => {
  expect(texts({ minLevel: 'error' })).toEqual(['Broken'])
  expect(texts({ minLevel: 'warn' })).toEqual(['Slow{"ms":12}', 'Segmentation fault', 'Broken'])
  expect(texts({ minLevel: 'info' })).not.toContain('Polling')
})

test('text is searched in the message and the fields of a line, ignoring case', () => {
  expect(texts({ search: 'SYNC_tasks' })).toHaveLength(1)
  expect(texts({ search: '"ms":12' })).toEqual(['Slow{"ms":12}'])
})

test('the URL has the filters in addition to the file', () => {
  const filters = { search: 'quota', minLevel: 'warn' as const, assets: true }
  const params = writeLineFilters(new URLSearchParams('file=worker'), filters)
  expect(params.get('file')).toBe('worker')
  expect(readLineFilters(params)).toEqual(filters)
  expect(writeLineFilters(params, none).toString()).toBe('file=worker')
  expect(readLineFilters(new URLSearchParams('level=loud&assets=yes'))).toEqual(none)
})
