import { expect, test } from 'vitest'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { passes, readLogFilters, writeLogFilters } from './log-filters.ts'
import { itemsOf, textOf } from './log-items.ts'

const line = (id: number, run_id: number | null, level: TaskLogLine['level'] = 'INFO'): TaskLogLine => ({
  id,
  level,
  message: `line ${id}`,
  timestamp: '2026-11-20T09:00:00.000Z',
  formatted_timestamp: '2026-11-20 04:00:00 EST',
  run_id,
})
const short = (lines: TaskLogLine[]) =>
  itemsOf(lines).map((item) => (item.kind === 'line' ? item.line.id : `run ${item.run_id}`))

test('lines are separated by run; lines of no run have a heading only beside those of runs', () => {
  expect(short([line(4, 2), line(3, 2), line(2, null), line(1, 1)])).toEqual([
    'run 2',
    4,
    3,
    'run null',
    2,
    'run 1',
    1,
  ])
  expect(short([line(2, null), line(1, null)])).toEqual([2, 1])
})

test('the key of a heading does not change when a live line of its run arrives', () => {
  const before = itemsOf([line(3, 2), line(2, 1)])
  const after = itemsOf([line(4, 2), line(3, 2), line(2, 1)])
  const key = (items: typeof before, index: number) => {
    const item = items[index]
    return item?.kind === 'run' && item.key
  }
  expect(key(after, 0)).toBe(key(before, 0))
  expect(key(after, 0)).not.toBe(key(before, 2))
})

test('copied text has a line per line, and the headings of the runs', () => {
  const texts = { runs: new Map(), headingOf: (id: number | null) => `Run ${id}` }
  expect(textOf(itemsOf([line(2, 5, 'ERROR'), line(1, 5)]), texts)).toBe(
    '--- Run 5 ---\n2026-11-20 04:00:00 EST ERROR line 2\n2026-11-20 04:00:00 EST INFO line 1',
  )
})

test('the URL has the filters; a live line passes by the rules of the server', () => {
  const filters = { levels: ['WARNING' as const, 'ERROR' as const], search: ' Line 2' }
  const params = writeLogFilters(new URLSearchParams('run=3'), filters)
  expect(readLogFilters(params)).toEqual(filters)
  expect(params.get('run')).toBe('3')
  expect(readLogFilters(new URLSearchParams('level=loud'))).toEqual({ levels: [], search: '' })
  expect(
    [line(2, null), line(2, null, 'ERROR'), line(3, null, 'ERROR')].map((one) => passes(one, filters)),
  ).toEqual([false, true, false])
})
