import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { exampleState, exampleTask } from '../../../test/fixtures/example-task.ts'
import type { Run } from '../../contract/runs/calls.ts'
import { type SourceStatus, sourceStatus } from '../../contract/runs/status.ts'
import { taskMessages } from '../../contract/tasks/client-messages.ts'
import { keysOf } from './cache/keys.ts'
import { RunHistory } from './history/run-history.tsx'
import { filterExceptStatus, readFilters } from './list/filters.ts'
import { GroupHead } from './list/group-head.tsx'
import { groupTasks } from './list/groups.ts'
import { StatusTiles } from './list/status-tiles.tsx'
import { TaskRow } from './list/task-row.tsx'
import { StreamOverlay } from './live/stream-overlay.ts'
import { isStoppable, isUnderWay } from './state/status.ts'
import { DescribedTasks, type TaskDescriptor } from './task-descriptor.tsx'
import type { Task } from './task-model.ts'

// A test category with other statuses, another status field, tasks without a type and no readiness: the shared screens must
// work from its descriptor alone.
type SourceTask = Task & {
  running_status: SourceStatus | 'email_sent'
  source_type: 'sheet' | 'api'
  type: { id: number; name: string } | null
}

const unused = () => Promise.reject(new Error('No call is made here'))
const calls = new Proxy({} as TaskDescriptor<SourceTask>['calls'], { get: () => unused })

const descriptor: TaskDescriptor<SourceTask> = {
  api: '/api/source_tasks',
  stream: 'source_tasks',
  poll_ms: 2000,
  path: '/source_tasks',
  import_path: '/source_tasks',
  texts: {
    one: 'Source Task',
    many: 'Source Tasks',
    add: 'Add Source Task',
    data: 'View Data',
    numbered: (id) => `Source Task ${id}`,
    not_found: '',
    fetch_list_failed: '',
    fetch_failed: '',
    execute_failed: '',
    deleted: 'Task deleted',
    confirm_delete: (name) => name,
    confirm_delete_all: String,
    delete_keeps: '',
    delete_failed: 'Failed to delete task',
    all_deleted: '',
    exported: '',
    export_failed: 'Export failed',
  },
  statuses: [
    { name: 'failed', label: 'failed', tone: 'error', is_failure: true },
    { name: 'email_sent', label: 'email_sent', tone: 'error', is_failure: true },
    { name: 'running', label: 'running', tone: 'success', is_live: true, can_stop: true },
    { name: 'pending', label: 'pending', tone: 'neutral', is_live: true, can_stop: true },
    { name: 'completed', label: 'completed', tone: 'info' },
    { name: 'stopped', label: 'stopped', tone: 'warning' },
    { name: 'new', label: 'new', tone: 'neutral' },
  ],
  calls,
  may_lack_type: true,
  has_schedule: false,
  usesAccount: ({ source_type }) => source_type === 'sheet',
  filters: [
    {
      param: 'origin',
      label: 'Origin',
      all: 'All origins',
      options: [{ value: 'api', label: 'API' }],
      passes: ({ source_type }, value) => source_type === value,
    },
  ],
  chips: [{ param: 'inactive', label: 'Inactive', passes: ({ is_active }) => !is_active }],
  stopping: {},
  statusOf: ({ running_status }) => running_status,
  isRunning: () => false,
  statusOfRun: (state) => sourceStatus(state, false),
  patchOf: ({ state, running_status: _, ...rest }) => ({
    ...rest,
    running_status: sourceStatus(state, false),
  }),
  parse: () => null,
  titleOf: ({ name }) => ({ title: name, detail: '' }),
  searched: ({ name }) => [name],
  groupOf: ({ type }) => type ?? { id: null, name: '(No Type Assigned)' },
  readySubjects: ({ id, name }) => [{ kind: 'task', id, name }],
  canRun: ({ is_active }) => is_active,
  hasData: ({ running_status }) => running_status === 'completed',
  receiptOf: () => null,
  RowDetail: ({ task }) => <p>Read from {task.source_type}</p>,
  RowAside: ({ className }) => <div className={className} />,
  MenuItems: () => null,
  DuplicateDialog: () => null,
  EditDialog: () => null,
}

const task = (fields: Partial<SourceTask>): SourceTask => ({
  ...exampleState(),
  name: 'Prices of a supplier',
  is_active: true,
  position_actions: exampleTask().position_actions,
  updated_at: exampleTask().updated_at,
  owner: null,
  tags: [],
  has_notes: false,
  running_status: 'new',
  source_type: 'api',
  type: { id: 3, name: 'Suppliers' },
  ...fields,
})

const client = new QueryClient()
const shown = (children: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <DescribedTasks as={descriptor}>{children}</DescribedTasks>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )

// LinkedText compares addresses with the origin of this site.
vi.stubGlobal('location', { origin: 'http://rowferry.test' })

const requests = {
  edit: () => {},
  duplicate: () => {},
  remove: () => {},
  showData: () => {},
  snooze: () => {},
}
const row = (fields: Partial<SourceTask>) =>
  shown(<TaskRow task={task(fields)} last={false} requests={requests} selected={false} onSelect={() => {}} />)
const labels = ['new', 'pending', 'running', 'completed', 'failed', 'email_sent', 'stopped'] as const

test.each(labels)('a row uses the labels, paths and row detail of its category: %s', (running_status) => {
  const html = row({ id: 7, running_status })
  expect(html).toContain(`>${running_status}</span>`)
  expect(html).toContain('Read from api')
  expect(html).toContain('href="/source_tasks/7/logs"')
  const live = running_status === 'pending' || running_status === 'running'
  expect(html).toContain(live ? 'Stop Prices of a supplier' : 'Run Prices of a supplier')
  expect([
    isUnderWay(descriptor, task({ running_status })),
    isStoppable(descriptor, task({ running_status })),
  ]).toEqual([live, live])
})

test('Run is enabled according to the category: here for active tasks only', () => {
  const button = (html: string) => /<button[^>]*aria-label="Run [^>]*>/.exec(html)?.[0]
  expect(button(row({}))).not.toContain('data-disabled')
  expect(button(row({ is_active: false }))).toContain('data-disabled')
})

test('tasks without a type have their own group; group headers and tiles use the labels of the category', () => {
  const tasks = [
    task({ running_status: 'failed' }),
    task({ id: 2, type: null, running_status: 'email_sent' }),
  ]
  const groups = groupTasks(descriptor, tasks)
  expect(groups.map(({ type, name }) => [type.id, name])).toEqual([
    [3, 'Suppliers'],
    [null, '(No Type Assigned)'],
  ])
  const heads = groups.map((group) => (
    <GroupHead
      key={group.key}
      group={group}
      whole={group}
      folded={false}
      last={false}
      onFold={() => {}}
      selected={new Set()}
      onSelect={() => {}}
    />
  ))
  const html = shown(heads)
  expect(html).toContain('(No Type Assigned)')
  expect(html).toContain('>email_sent<b>1</b>')
  const tiles = shown(<StatusTiles counts={new Map([['email_sent', 1]])} chosen={[]} onChoose={() => {}} />)
  expect([...tiles.matchAll(/<\/b> (\w+)/g)].map(([, word]) => word).sort()).toEqual([...labels].sort())
})

test('the URL has the filter of the category in addition to the shared ones', () => {
  const filters = readFilters(
    descriptor,
    new URLSearchParams('origin=api&status=email_sent&status=Failed&type=null'),
  )
  expect(filters.statuses).toEqual(['email_sent'])
  const tasks = [task({ type: null }), task({ id: 2, type: null, source_type: 'sheet' }), task({ id: 3 })]
  expect(filterExceptStatus(descriptor, tasks, filters, 0).map(({ id }) => id)).toEqual([1])
})

test('stream events are converted to the fields of the category', () => {
  const overlay = new StreamOverlay()
  overlay.states([exampleState({ state: 'success' }), exampleState({ id: 2, state: 'stopping' })], 10)
  expect(overlay.patchesSince(descriptor, 10).map(({ running_status }) => running_status)).toEqual([
    'completed',
    'running',
  ])
})

test('the run history uses the labels of the category', () => {
  const run: Run = {
    id: 4,
    task_id: 9,
    task_name: 'Prices of a supplier',
    category: 'source',
    state: 'success',
    is_preview: false,
    trigger: 'manual',
    triggered_by: 'ada@example.com',
    attempts: 1,
    redeliveries: 0,
    queued_at: '2026-11-20T09:00:00.000Z',
    started_at: '2026-11-20T09:00:01.000Z',
    finished_at: '2026-11-20T09:00:04.000Z',
    duration_seconds: 3,
    rows: 120,
    requests: null,
    warnings: [],
    message: 'Read 120 rows',
    error: null,
    receipt: null,
  }
  const runs = [run, { ...run, id: 3, state: 'failed' as const, error: 'The origin does not answer' }]
  client.setQueryData(keysOf(descriptor).runs(9), { pages: [{ runs, next: null }], pageParams: [null] })
  const html = shown(<RunHistory task={task({ id: 9 })} />)
  for (const text of ['>completed</span>', '>failed</span>', 'Read 120 rows', 'The origin does not answer'])
    expect(html).toContain(text)
  expect(html).not.toContain(taskMessages.no_runs)
})
