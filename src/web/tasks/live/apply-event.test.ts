import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { keysOf } from '../cache/keys.ts'
import { applyEvent } from './apply-event.ts'

const keys = keysOf(syncTaskModel)
const triggered = (second: number) => ({
  time: `2026-11-20T09:00:0${second}.000Z`,
  triggered_by: 'ada@example.com',
})
const before = exampleTask({ task_status: 'Success', last_triggered: triggered(1) })

/** Whether the runs of the task are refetched after an edit event. */
function readsRuns(edited: typeof before): boolean {
  const client = new QueryClient()
  client.setQueryData(keys.list, [before])
  client.setQueryData(keys.task(before.id), { ...before, logs: [] })
  client.setQueryData(keys.runs(before.id), { pages: [], pageParams: [] })
  applyEvent({ client, model: syncTaskModel, readList: () => {} }, { type: 'changed', tasks: [edited] })
  return client.getQueryState(keys.runs(before.id))?.isInvalidated === true
}

test('runs are refetched after an edit event with a newer run state, since the status event that follows changes nothing', () => {
  expect(readsRuns({ ...before, name: 'Renamed' })).toBe(false)
  expect(readsRuns({ ...before, task_status: 'Failed', last_triggered: triggered(2) })).toBe(true)
})

test('a run with the same result as the previous one is recognised as another run', () => {
  expect(readsRuns({ ...before, last_triggered: triggered(2) })).toBe(true)
})

test('a first fetch of runs that is in flight when a run ends is repeated: its reply may predate the end', async () => {
  const client = new QueryClient()
  client.setQueryData(keys.task(before.id), { ...before, logs: [] })
  const answers: ((runs: string) => void)[] = []
  const runs = new QueryObserver(client, {
    queryKey: keys.runs(before.id),
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  const unsubscribe = runs.subscribe(() => {})
  const live = { client, model: syncTaskModel, readList: () => {} }
  for (const [second, task_status] of [
    [2, 'In Progress'],
    [2, 'Success'],
  ] as const)
    applyEvent(live, {
      type: 'changed',
      tasks: [{ ...before, task_status, last_triggered: triggered(second) }],
    })
  expect(answers).toHaveLength(1)
  answers[0]?.('In Progress')
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.('Success')
  await vi.waitFor(() =>
    expect(runs.getCurrentResult()).toMatchObject({ data: 'Success', isFetching: false }),
  )
  expect(answers).toHaveLength(2)
  unsubscribe()
})
