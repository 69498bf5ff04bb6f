import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { exampleSourceTask } from '../../../../../test/fixtures/example-task.ts'
import { TaskRow } from '../../../tasks/list/task-row.tsx'
import { DescribedTasks } from '../../../tasks/task-descriptor.tsx'
import { sourceTaskDescriptor } from '../descriptor.tsx'

const requests = {
  edit: () => {},
  duplicate: () => {},
  remove: () => {},
  showData: () => {},
  snooze: () => {},
}
const client = new QueryClient()

const row = (fields: Parameters<typeof exampleSourceTask>[0]) =>
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <DescribedTasks as={sourceTaskDescriptor}>
            <TaskRow
              task={exampleSourceTask(fields)}
              last={false}
              requests={requests}
              selected={false}
              onSelect={() => {}}
            />
          </DescribedTasks>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )

const place = (current_position: number) => ({
  position_actions: { ...exampleSourceTask().position_actions, current_position },
})

test('the first task of a group is Master by position, one with is_master_catalog is ★ Master', () => {
  expect(row(place(2))).not.toContain('Master</span>')
  expect(row(place(1))).toContain('>Master</span>')
  expect(row({ ...place(2), is_master_catalog: true })).toContain('>★ Master</span>')
  expect(row({ ...place(1), is_master_catalog: true })).not.toContain('>Master</span>')
})

test('a row shows the age of the stored rows, which open only when the task is completed', () => {
  const rows = { pulled_at: new Date(Date.now() - 2 * 3_600_000 - 61_000).toISOString(), row_count: 12_345 }
  const completed = row({ ...rows, running_status: 'completed' })
  expect(completed).toContain('2 h old')
  expect(completed).toContain('12,345 rows')
  expect(completed).toContain('View Data of Prices of suppliers')
  const failed = row({ ...rows, running_status: 'failed' })
  expect(failed).toContain('2 h old')
  expect(failed).not.toContain('View Data')
  expect(row({})).toContain('No data yet')
})

test('a row shows that rows need approval', () => {
  const fetched_at = '2026-11-20T09:00:00.000Z'
  const waiting = { snapshot_id: 7, row_count: 1, fetched_at, reasons: ['Few'], column_changes: [] }
  expect(row({ waiting })).toContain('Needs your approval')
  expect(row({})).not.toContain('Needs your approval')
})

test('a row has its latest log entry, Logs, Run or Stop, the switch, and the source of its rows', () => {
  const entry = {
    id: 1,
    level: 'INFO' as const,
    message: 'The origin had nothing new',
    timestamp: '2026-11-20T09:00:00.000Z',
    formatted_timestamp: '',
  }
  const html = row({ id: 7, latest_log: entry })
  for (const part of [
    'The origin had nothing new',
    'href="/source_tasks/7/logs"',
    'Run Prices of suppliers',
    'Prices of suppliers is active',
    'Catalogue master / Products',
  ])
    expect(html).toContain(part)
  expect(row({ running_status: 'running' })).toContain('Stop Prices of suppliers')
})

test('the log entry is the latest one in the colour of its level, regardless of warnings', () => {
  const latest_log = {
    id: 2,
    level: 'WARNING' as const,
    message: 'Read 4 rows of 3 columns',
    timestamp: '2026-11-20T09:00:00.000Z',
    formatted_timestamp: '',
  }
  const run_warnings = [{ id: 'a', message: 'One cell was replaced.', acknowledged: null }]
  const html = row({ latest_log, run_warnings })
  expect(html).toMatch(/title="Read 4 rows of 3 columns" data-level="WARNING"/)
  expect(html).toContain('aria-label="One cell was replaced."')
})
