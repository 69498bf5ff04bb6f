import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { CallError } from '../../lib/call.ts'
import { isOtherRun, mergeEntry } from '../live/merge.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import type { Detailed, Task, TaskModel } from '../task-model.ts'
import { keysOf } from './keys.ts'
import { patchTasks } from './patches.ts'

/** Whether there is no task of that number. */
export const isMissing = (error: unknown) => error instanceof CallError && error.status === 404

/** A query's failure for a toast: none where there is no such task, which the page says then. */
export const unlessMissing = (failure: string) => (error: unknown) => (isMissing(error) ? null : failure)

/** One task with its newest log lines. */
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
      return { ...task, ...patch, logs }
    },
    // states that are put in make it look newer than its receipt and its log are
    staleTime: 0,
    meta: { failure: unlessMissing(model.texts.fetch_failed) },
  })

/** The log of a task, newest first; as many lines as the server keeps. */
export const logsQuery = (model: TaskModel, id: number) =>
  queryOptions({
    queryKey: keysOf(model).logs(id),
    queryFn: async ({ signal }) => {
      const asked = performance.now()
      const entries = await model.calls.logs(id, signal)
      return streamOverlay.linesSince(id, asked).reduce(mergeEntry, entries)
    },
    meta: { failure: unlessMissing(taskMessages.fetch_logs_failed) },
  })

/** Reads one task again and shows it everywhere. */
export async function refreshTask<T extends Task>(
  client: QueryClient,
  model: TaskModel<T>,
  id: number,
): Promise<void> {
  patchTasks(client, model, [await client.fetchQuery(taskQuery(model, id))])
}

/** Reads a task again after an action. The action itself is done; what fails here shows in the list sooner or later. */
export const refetchTask = (client: QueryClient, model: TaskModel, id: number) =>
  refreshTask(client, model, id).catch((error: unknown) =>
    console.info('The task could not be read again', error),
  )
