import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { filterButStatus, filterStatus, isFiltered, readFilters, writeFilters } from './filters.ts'

const none = readFilters(syncTaskModel, new URLSearchParams())

test('filters survive the way into the address and back', () => {
  const filters = {
    search: 'a & b',
    statuses: ['Failed', 'Error'] as const,
    type: '7',
    active: true,
    chips: [],
    choices: { source: 'internal' },
  }
  for (const active of [true, false, null])
    expect(readFilters(syncTaskModel, writeFilters({ ...filters, active }))).toEqual({ ...filters, active })
  expect(writeFilters(none).size).toBe(0)
  expect(isFiltered(none)).toBe(false)
  expect(isFiltered(filters)).toBe(true)
})

test('what an address says wrongly is ignored', () => {
  expect(
    readFilters(
      syncTaskModel,
      new URLSearchParams('status=Nonsense&status=Failed&status=Failed&active=yes&source=moon'),
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
  filterButStatus(syncTaskModel, tasks, { ...none, ...part }, 0).map(({ id }) => id)

test('the search finds a whole id, and parts of names of tasks, spreadsheets, sheets and configurations in any case', () => {
  expect(found({ search: ' 1 ' })).toEqual([1])
  expect(found({ search: 'PRIC' })).toEqual([12])
  expect(found({ search: 'window' })).toEqual([12])
  expect(found({ search: 'warehouse' })).toEqual([13])
  expect(found({ search: 'merged' })).toEqual([13])
  expect(found({ search: 'nothing like it' })).toEqual([])
})

test('type, active and source filter narrow the list together', () => {
  expect(found({ type: '1' })).toEqual([1, 12])
  expect(found({ type: '1', active: true })).toEqual([1])
  expect(found({ active: false })).toEqual([12])
  expect(found({ choices: { source: 'internal' } })).toEqual([13])
  expect(found({ choices: { source: 'sheet' }, active: true })).toEqual([1])
})

test('no status chosen shows all, several show each of them', () => {
  expect(filterStatus(syncTaskModel, tasks, [])).toHaveLength(3)
  expect(filterStatus(syncTaskModel, tasks, ['Failed', 'Error']).map(({ id }) => id)).toEqual([1])
})
