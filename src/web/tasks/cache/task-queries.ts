import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { CallError } from '../../lib/call.ts'
import { isOtherRun, mergeEntry } from '../live/merge.ts'
import { withStop } from '../live/stop-requests.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import type { Detailed, Task, TaskModel } from '../task-model.ts'
import { keysOf } from './keys.ts'
import { patchTasks } from './patches.ts'

/** Whether the error is the 404 of a task that does not exist. */
export const isMissing = (error: unknown) => error instanceof CallError && error.status === 404

/** Failure message of a query for a toast; null for a 404, which the page shows itself. */
export const unlessMissing = (failure: string) => (error: unknown) => (isMissing(error) ? null : failure)

/** One task with its newest log entries. */
export const taskQuery = <T extends Task, D extends Detailed<T>>(model: TaskModel<T, D>, id: number) =>
  queryOptions({
    queryKey: keysOf(model).task(id),
    queryFn: async ({ signal, client }): Promise<D> => {
      const asked = performance.now()
      const task = await model.calls.get(id, signal)
      const patch = streamOverlay.patchesSince(model, asked).find((one) => one.id === id)
      const before = client.getQueryData<D>(keysOf(model).task(id))
      if (before === undefined || isOtherRun<T>(model, before, task))
        void client.invalidateQueries({ queryKey: keysOf(model).runs(id) })
      const logs = streamOverlay.linesSince(id, asked).reduce(mergeEntry, task.logs)
      return withStop(model, { ...task, ...patch, logs })
    },
    // Patches update its timestamp, although receipt and log are not patched.
    staleTime: 0,
    meta: { failure: unlessMissing(model.texts.fetch_failed) },
  })

/** Refetches one task and updates every cached query that contains it. */
export async function refreshTask<T extends Task>(
  client: QueryClient,
  model: TaskModel<T>,
  id: number,
): Promise<void> {
  patchTasks(client, model, [await client.fetchQuery(taskQuery(model, id))])
}

/** Refetches a task after an action. A failure is ignored: the action succeeded, and the list is updated later. */
export const refetchTask = (client: QueryClient, model: TaskModel, id: number) =>
  refreshTask(client, model, id).catch((error: unknown) =>
    console.info('The task could not be read again', error),
  )
