import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sourceTaskCalls } from './api.ts'
import { reorderTasks } from './components/dialog-calls.ts'

type Sent = { method: string; url: string; body: unknown }

let sent: Sent[] = []

beforeEach(() => {
  sent = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    sent.push({ method: method ?? '', url, body: typeof body === 'string' ? JSON.parse(body) : null })
    const reply = { status: 'success', message: '', started_count: 0, skipped_count: 0, stopped_count: 0 }
    return Response.json({ ...reply, reordered_count: 2 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const calls: [what: string, act: () => Promise<unknown>, sent: Sent][] = [
  [
    'Run',
    () => sourceTaskCalls.execute(7),
    { method: 'POST', url: '/api/source_schedule/trigger_task/7', body: { trigger: 'Manual' } },
  ],
  [
    'Run All Tasks',
    () => sourceTaskCalls.executeAll(),
    { method: 'POST', url: '/api/source_schedule/trigger_all', body: { trigger: 'Manual Run All' } },
  ],
  ['Stop', () => sourceTaskCalls.stop(7), { method: 'POST', url: '/api/source_tasks/stop/7', body: null }],
  [
    'Run Group',
    () => sourceTaskCalls.runGroup(3),
    { method: 'POST', url: '/api/source_task_types/3/run_group', body: { trigger: 'Manual' } },
  ],
  [
    'Run Group of those without a type',
    () => sourceTaskCalls.runGroup(null),
    { method: 'POST', url: '/api/source_tasks/run_untyped_group', body: { trigger: 'Manual' } },
  ],
  [
    'Stop Group of those without a type',
    () => sourceTaskCalls.stopGroup(null),
    { method: 'POST', url: '/api/source_tasks/stop_untyped_group', body: null },
  ],
  [
    'the order of a section',
    () => reorderTasks([5, 4]),
    { method: 'POST', url: '/api/source_tasks/reorder', body: { task_ids: [5, 4] } },
  ],
]

test.each(calls)('%s sends the specified request', async (_what, act, expected) => {
  await act()
  expect(sent).toEqual([expected])
})

test('every call, including the export, times out after 45 s', async () => {
  const limit = vi.spyOn(AbortSignal, 'timeout')
  const { signal } = new AbortController()
  for (const [name, act] of Object.entries<(...given: never[]) => Promise<unknown>>(sourceTaskCalls)) {
    limit.mockClear()
    // Arguments and replies are irrelevant for this test.
    const given = [name === 'statuses' || name === 'types' ? signal : 7, signal, signal] as never[]
    await act(...given).catch(() => {})
    expect(limit, name).toHaveBeenCalledExactlyOnceWith(45_000)
  }
  limit.mockRestore()
})
