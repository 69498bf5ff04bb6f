import { expect, test } from 'vitest'
import { exampleSourceTask, exampleState } from '../../../../../test/fixtures/example-task.ts'
import { SourceStatus } from '../../../../contract/runs/status.ts'
import { overviewQuery } from '../../../tasks/cache/list-queries.ts'
import { filterExceptStatus, readFilters } from '../../../tasks/list/filters.ts'
import { groupTasks } from '../../../tasks/list/groups.ts'
import { isStoppable, isUnderWay, statusNamed, watchNeeded } from '../../../tasks/state/status.ts'
import { sourceTaskModel as model } from './model.ts'

test('colours: new light grey, pending grey, running green, completed blue, failed red, stopped yellow, email_sent purple', () => {
  const tones = SourceStatus.options.map((word) => [word, statusNamed(model, word).tone])
  expect(Object.fromEntries(tones)).toEqual({
    new: 'light',
    pending: 'neutral',
    running: 'working',
    completed: 'info',
    failed: 'error',
    stopped: 'warning',
    email_sent: 'purple',
  })
})

test.each(SourceStatus.options)(
  'Run is enabled unless running or pending, Stop only while running or pending, View Data only when completed: %s',
  (running_status) => {
    const task = exampleSourceTask({ running_status, row_count: 3 })
    const live = running_status === 'running' || running_status === 'pending'
    expect(isUnderWay(model, task)).toBe(live)
    expect(isStoppable(model, task)).toBe(live)
    expect(statusNamed(model, running_status).can_stop === true).toBe(live)
    expect(model.hasData(task)).toBe(running_status === 'completed')
  },
)

test('Run is enabled only when the task is active', () => {
  expect([true, false].map((is_active) => model.canRun(exampleSourceTask({ is_active })))).toEqual([
    true,
    false,
  ])
})

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const before = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const old = before(600)
const tasks = [
  exampleSourceTask({ id: 1, running_status: 'failed', last_error: 'Away', updated_at: old }),
  exampleSourceTask({ id: 2, running_status: 'email_sent', last_error: 'Away', updated_at: old }),
  exampleSourceTask({ id: 3, running_status: 'pending', last_error: 'Away', updated_at: old }),
  exampleSourceTask({ id: 4, running_status: 'completed', updated_at: before(60) }),
  exampleSourceTask({ id: 5, running_status: 'completed', updated_at: before(61), pulled_at: before(5) }),
  exampleSourceTask({ id: 16, name: 'Stock', source_type: 'api', updated_at: old }),
]
const found = (query: string) =>
  filterExceptStatus(model, tasks, readFilters(model, new URLSearchParams(query)), NOW).map(({ id }) => id)

test.each([
  ['the chip Failed includes email_sent', 'chip=failed', [1, 2]],
  ['the chip Has Errors: last_error is set', 'chip=errors', [1, 2, 3]],
  ['the chip Recent: updated in the last 60 minutes', 'chip=recent', [4, 5]],
  ['chips narrow each other', 'chip=errors&chip=failed&chip=nonsense', [1, 2]],
  ['the search finds names', 'q=stoc', [16]],
  ['the search finds ids', 'q=16', [16]],
  ['the filter by source type', 'origin=api', [16]],
])('%s', (_title, query, ids) => {
  expect(found(query)).toEqual(ids)
})

test('a run with unacknowledged warnings is a Warning in the row, the filter and the history', () => {
  const warning = { id: 'a', message: 'One cell.', acknowledged: null }
  const acknowledged = { ...warning, acknowledged: { by: 'ada@example.com', at: old } }
  const warned = exampleSourceTask({ running_status: 'completed', run_warnings: [warning] })
  expect(model.statusOf(warned)).toBe('warning')
  expect(statusNamed(model, 'warning')).toMatchObject({ label: 'Warning', tone: 'warning' })
  expect(model.hasData(warned)).toBe(true)
  expect(model.statusOf({ ...warned, run_warnings: [acknowledged] })).toBe('completed')
  expect(model.statusOf({ ...warned, running_status: 'running' })).toBe('running')
  expect([model.statusOfRun('warning'), model.statusOfRun('success')]).toEqual(['warning', 'completed'])
})

test('tasks without a type are in the section (No Type Assigned)', () => {
  const untyped = exampleSourceTask({ id: 9, source_task_type_id: null, source_task_type_name: null })
  expect(groupTasks(model, [...tasks, untyped]).map(({ type, name }) => [type.id, name])).toEqual([
    [1, 'Suppliers'],
    [null, '(No Type Assigned)'],
  ])
})

test('stream events use the statuses of source tasks, including email_sent', () => {
  expect(model.patchOf(exampleState({ state: 'failed', is_mailed: true }))).toMatchObject({
    running_status: 'email_sent',
    is_running: false,
  })
  expect(model.parse({ id: 1, target_sheet_name: 'a sync task' })).toBeNull()
  expect(model.parse(tasks[0])).toEqual(tasks[0])
})

test('without an event stream, states are polled every 2 s while a task is running or pending', () => {
  const watched = (running_status: SourceStatus) =>
    watchNeeded(model, [exampleSourceTask({ running_status })])
  expect([watched('running'), watched('pending')]).toEqual(['poll', 'poll'])
  expect([watched('failed'), watched('completed'), watched('new')]).toEqual(['once', 'none', 'none'])
  expect(overviewQuery(model, { poll: true }).refetchInterval).toBe(2000)
  expect(overviewQuery(model, { poll: false }).refetchInterval).toBe(false)
})
