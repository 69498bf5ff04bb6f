import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import type { TaskState } from '../../../contract/tasks/schemas.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { keysOf } from '../cache/keys.ts'
import { tasksQuery } from '../cache/list-queries.ts'
import { showStopping } from '../cache/patches.ts'
import { taskQuery } from '../cache/task-queries.ts'
import { applyEvent } from './apply-event.ts'

const keys = keysOf(syncTaskModel)
const running = { ...exampleTask({ task_status: 'Running' }), running_status: true }
const other = { ...running, id: running.id + 1 }

/** A page with two running tasks whose server answers with the same two. */
function page() {
  const client = new QueryClient()
  const model = {
    ...syncTaskModel,
    calls: {
      ...syncTaskModel.calls,
      get: async () => ({ ...running, notes: '', logs: [] }),
      list: async () => ({ tasks: [running, other], total: 2, pages: 1 }),
    },
  }
  client.setQueryData(keys.list, [running, other])
  client.setQueryData(keys.task(running.id), { ...running, logs: [] })
  return {
    client,
    model,
    /** The status in the list and on the page of the task. */
    shown: () => [
      client.getQueryData<(typeof running)[]>(keys.list)?.map(({ task_status }) => task_status),
      client.getQueryData<typeof running>(keys.task(running.id))?.task_status,
    ],
    state: (state: TaskState['state']) =>
      applyEvent(
        { client, model, readList: () => {} },
        {
          type: 'status',
          tasks: [{ ...running, state }],
        },
      ),
  }
}

test('until the reply to a stop request, older states do not show the task as running again', async () => {
  const { client, model, shown, state } = page()
  const end = showStopping(client, model, [running])
  const stopping = [['Stopping', 'Running'], 'Stopping']
  expect(shown()).toEqual(stopping)
  state('running')
  expect(shown()).toEqual(stopping)
  await client.fetchQuery(taskQuery(model, running.id))
  await client.fetchQuery(tasksQuery(model))
  expect(shown()).toEqual(stopping)
  end()
  state('running')
  expect(shown()).toEqual([['Running', 'Running'], 'Running'])
})

test('a task that ends before the reply to its stop request is shown as ended', () => {
  const { client, model, shown, state } = page()
  const end = showStopping(client, model, [running])
  state('success')
  expect(shown()).toEqual([['Success', 'Running'], 'Success'])
  end()
})

test('a task that has ended is not shown as stopping', () => {
  const { client, model, shown, state } = page()
  state('success')
  const end = showStopping(client, model, [{ ...running, task_status: 'Success' }])
  expect(shown()).toEqual([['Success', 'Running'], 'Success'])
  end()
})
