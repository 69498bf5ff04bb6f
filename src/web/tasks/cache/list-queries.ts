import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { endedSince, mergeStates, mergeWaits } from '../live/merge.ts'
import { withStops } from '../live/stop-requests.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import type { Overview, Task, TaskModel } from '../task-model.ts'
import { keysOf } from './keys.ts'
import { patchTasks } from './patches.ts'
import { refreshTask } from './task-queries.ts'

/** First page of tasks and the total: shown until tasksQuery has loaded the rest. */
export const firstTasksQuery = <T extends Task>(model: TaskModel<T>) =>
  queryOptions<{ tasks: T[]; total: number }>({ queryKey: keysOf(model).firstPage, queryFn: skipToken })

async function loadAll<T extends Task>(
  model: TaskModel<T>,
  client: QueryClient,
  signal: AbortSignal,
): Promise<T[]> {
  const asked = performance.now()
  const first = await model.calls.list(1, signal)
  client.setQueryData(keysOf(model).firstPage, first)
  const others = await Promise.all(
    Array.from({ length: first.pages - 1 }, (_, n) => model.calls.list(n + 2, signal)),
  )
  const tasks = [first, ...others].flatMap((page) => page.tasks)
  // A task that moves while the pages are read can be on two of them.
  const once = new Map(tasks.map((task) => [task.id, task]))
  const patches = streamOverlay.patchesSince(model, asked)
  const now = withStops(model, mergeStates([...once.values()], patches))
  return mergeWaits(model, now, streamOverlay.waitsSince(asked))
}

/** All tasks of a category, from all pages, so that no group is split. */
export const tasksQuery = <T extends Task>(model: TaskModel<T>) =>
  queryOptions({
    queryKey: keysOf(model).list,
    queryFn: ({ client, signal }) => loadAll(model, client, signal),
    // Comparing ten thousand tasks field by field takes longer than rendering the visible ones.
    structuralSharing: false,
    meta: { failure: model.texts.fetch_list_failed },
  })

/** Statuses and the overview. The event stream keeps them current; with `poll` (no stream) they are refetched at intervals. */
export const overviewQuery = <T extends Task>(model: TaskModel<T>, { poll }: { poll: boolean }) =>
  queryOptions<Overview>({
    queryKey: keysOf(model).overview,
    queryFn: async ({ signal, client }) => {
      const asked = performance.now()
      const { tasks, ...overview } = await model.calls.statuses(signal)
      const known = client.getQueryData<T[]>(keysOf(model).list) ?? []
      const patches = [...tasks, ...streamOverlay.patchesSince(model, asked)]
      const ended = endedSince(model, known, mergeStates(known, patches))
      patchTasks(client, model, patches)
      await refetchEnded(model, client, ended)
      return overview
    },
    refetchInterval: poll ? model.poll_ms : false,
    meta: { failure: taskMessages.fetch_running_status_failed },
  })

// Above this number, one request for the list is cheaper.
const endedSingly = 10

async function refetchEnded<T extends Task>(
  model: TaskModel<T>,
  client: QueryClient,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > endedSingly) return client.invalidateQueries({ queryKey: keysOf(model).list })
  await Promise.all(ids.map((id) => refreshTask(client, model, id)))
}
