import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { filterExceptStatus, filterStatus, isFiltered, readFilters, writeFilters } from './filters.ts'

const none = readFilters(syncTaskModel, new URLSearchParams())

test('filters are unchanged after they are written to the URL and read back', () => {
  const filters = {
    search: 'a & b',
    statuses: ['Failed', 'Error'] as const,
    type: '7',
    active: true,
    favourites: true,
    owner: 'me',
    tags: ['Shop', 'a & b'],
    chips: [],
    choices: { source: 'internal' },
  }
  for (const active of [true, false, null])
    expect(readFilters(syncTaskModel, writeFilters({ ...filters, active }))).toEqual({ ...filters, active })
  expect(writeFilters(none).size).toBe(0)
  expect(isFiltered(none)).toBe(false)
  expect(isFiltered(filters)).toBe(true)
})

test('invalid URL parameters are ignored', () => {
  expect(
    readFilters(
      syncTaskModel,
      new URLSearchParams(
        'status=Nonsense&status=Failed&status=Failed&active=yes&source=moon&owner=anybody&tag=',
      ),
    ),
  ).toEqual({
    ...none,
    statuses: ['Failed'],
  })
})

const tasks = [
  exampleTask({ id: 1, name: 'Catalogue', task_status: 'Failed' }),
  exampleTask({ id: 12, name: 'Prices', target_sheet_name: 'Shop window', is_active: false }),
  exampleTask({
    id: 13,
    name: 'Stock',
    sync_task_type_id: 2,
    target_ss_name: 'Warehouse',
    source_type: 'internal',
    source_compiler_config_name: 'Merged stock',
  }),
]
const found = (part: Partial<typeof none>) =>
  filterExceptStatus(syncTaskModel, tasks, { ...none, ...part }, 0).map(({ id }) => id)

test('the search matches a whole id, and parts of the names of tasks, spreadsheets, sheets and configurations, ignoring case', () => {
  expect(found({ search: ' 1 ' })).toEqual([1])
  expect(found({ search: 'PRIC' })).toEqual([12])
  expect(found({ search: 'window' })).toEqual([12])
  expect(found({ search: 'warehouse' })).toEqual([13])
  expect(found({ search: 'merged' })).toEqual([13])
  expect(found({ search: 'nothing like it' })).toEqual([])
})

test('type, active and source filter are combined', () => {
  expect(found({ type: '1' })).toEqual([1, 12])
  expect(found({ type: '1', active: true })).toEqual([1])
  expect(found({ active: false })).toEqual([12])
  expect(found({ choices: { source: 'internal' } })).toEqual([13])
  expect(found({ choices: { source: 'sheet' }, active: true })).toEqual([1])
})

test('no status shows all tasks, several show the tasks of each', () => {
  expect(filterStatus(syncTaskModel, tasks, [])).toHaveLength(3)
  expect(filterStatus(syncTaskModel, tasks, ['Failed', 'Error']).map(({ id }) => id)).toEqual([1])
})

const owned = [
  exampleTask({ id: 1, owner: { id: 7, name: 'Ada' }, tags: ['Shop', 'quarterly'] }),
  exampleTask({ id: 2, owner: { id: 8, name: 'Bea' }, tags: ['shop'] }),
  exampleTask({ id: 3, tags: ['quarterly'] }),
]
const ownedFound = (query: string, own_id: number | null = 7) =>
  filterExceptStatus(
    syncTaskModel,
    owned,
    readFilters(syncTaskModel, new URLSearchParams(query)),
    0,
    own_id,
  ).map(({ id }) => id)

test.each([
  ['owner=me', [1]],
  ['owner=8', [2]],
  ['owner=nobody', [3]],
  ['tag=SHOP', [1, 2]],
  ['tag=shop&tag=quarterly', [1]],
  ['owner=me&tag=other', []],
  ['q=bea', [2]],
  ['q=quarter', [1, 3]],
])('%s finds the tasks of that owner and with all of these tags', (query, ids) => {
  expect(ownedFound(query)).toEqual(ids)
})

test('without a session, no task is mine', () => {
  expect(ownedFound('owner=me', null)).toEqual([])
})
