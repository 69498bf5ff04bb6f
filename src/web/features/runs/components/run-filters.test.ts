import { expect, test } from 'vitest'
import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { mergeRuns, prependRuns } from '../list/merge-runs.ts'
import {
  isFiltered,
  noFilters,
  passes,
  passesTime,
  queryOf,
  type RunFilters,
  readRunFilters,
  writeRunFilters,
} from './run-filters.ts'

const run = (fields: Partial<ListedRun> = {}): ListedRun => ({
  id: 1,
  task_id: 5,
  task_name: 'Prices',
  category: 'sync',
  state: 'failed',
  is_preview: false,
  trigger: 'manual',
  triggered_by: 'ada@example.com',
  attempts: 1,
  redeliveries: 0,
  queued_at: '2026-11-20T04:00:00.000Z',
  started_at: null,
  finished_at: null,
  duration_seconds: null,
  rows: 0,
  requests: null,
  warnings: [],
  message: null,
  error: 'No edit access',
  receipt: null,
  task_type_id: 3,
  task_type: 'Daily',
  user_id: 7,
  config_id: null,
  inputs_until: null,
  waits: [],
  ...fields,
})

test('filters are kept in the address, with the other things that it says', () => {
  const filters: RunFilters = {
    search: 'edit',
    state: 'failed',
    category: 'sync',
    task_type_id: 3,
    task_id: 5,
    trigger: 'manual',
    user_id: 7,
    since: 'between',
    from: '2026-11-20T00:00:00.000Z',
    to: null,
  }
  const params = writeRunFilters(new URLSearchParams('view=timeline'), filters)
  expect(params.get('view')).toBe('timeline')
  expect(readRunFilters(params)).toEqual(filters)
  expect(writeRunFilters(params, noFilters).toString()).toBe('view=timeline')
  expect(
    readRunFilters(new URLSearchParams('state=x&type=-1&user=1e9&time=ever&trigger=&category=z&from=now')),
  ).toEqual(noFilters)
  expect(isFiltered({ ...noFilters, since: '7d' }, { within: true })).toBe(true)
  expect(isFiltered({ ...noFilters, since: '7d' }, { within: false })).toBe(false)
})

test('the call gets the states of the engine, and a range of time that ends now', () => {
  const now = Date.parse('2026-11-20T04:00:00Z')
  expect(queryOf({ ...noFilters, state: 'failed', since: '1h', search: ' a ' }, now)).toEqual({
    state: 'failed,error',
    from: '2026-11-20T03:00:00.000Z',
    search: 'a',
  })
})

test.each<[Partial<RunFilters>, boolean]>([
  [{}, true],
  [{ state: 'failed' }, true],
  [{ state: 'live' }, false],
  [{ category: 'source' }, false],
  [{ task_type_id: 3, task_id: 5 }, true],
  [{ task_type_id: 4 }, false],
  [{ user_id: 8 }, false],
  [{ trigger: 'manual' }, true],
  [{ search: 'EDIT acc' }, true],
  [{ search: 'ada@' }, true],
  [{ search: 'warehouse' }, false],
])('a run that changes is judged as the server would: %j', (part, expected) => {
  expect(passes(run(), { ...noFilters, ...part })).toBe(expected)
})

test('a range of time includes its first moment, not its last', () => {
  const at = (from: string | null, to: string | null) =>
    passesTime(run(), { ...noFilters, since: 'between', from, to }, 0)
  expect(at('2026-11-20T04:00:00.000Z', null)).toBe(true)
  expect(at(null, '2026-11-20T04:00:00.000Z')).toBe(false)
})

test('changed runs change in place, leave a list whose filters they no longer pass, and newer ones come on top once', () => {
  const page = (ids: number[]) => ({ runs: ids.map((id) => run({ id })), next: null, searched_to: null })
  const before = { pages: [page([9, 8]), page([7])], pageParams: [null, 8] }
  const { pages, added } = mergeRuns(
    before,
    [
      run({ id: 8, error: 'New' }),
      run({ id: 7, state: 'success' }),
      run({ id: 11 }),
      run({ id: 10 }),
      run({ id: 5 }),
    ],
    ({ state }) => state === 'failed',
  )
  expect(pages.pages.map(({ runs }) => runs.map(({ id }) => id))).toEqual([[9, 8], []])
  expect(pages.pages[0]?.runs[1]?.error).toBe('New')
  expect(added.map(({ id }) => id)).toEqual([11, 10])
  const shown = prependRuns(prependRuns(pages, added), added)
  expect(shown.pages[0]?.runs.map(({ id }) => id)).toEqual([11, 10, 9, 8])
})
