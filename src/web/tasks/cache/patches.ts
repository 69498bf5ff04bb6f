import type { Query, QueryClient } from '@tanstack/react-query'
import type { WaitGroup } from '../../../contract/runs/waits.ts'
import { isQueued, mergeStates, mergeWaits, waitsOfLines } from '../live/merge.ts'
import { beginStop, withStop, withStops } from '../live/stop-requests.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import { isStoppable } from '../state/status.ts'
import type { Detailed, Overview, Patch, Task, TaskModel } from '../task-model.ts'
import { keysOf } from './keys.ts'

/** Applies changes to every cached query that contains the tasks, without a request. */
export function patchTasks<T extends Task>(
  client: QueryClient,
  model: TaskModel<T>,
  patches: readonly Patch<T>[],
): void {
  const keys = keysOf(model)
  client.setQueryData<T[]>(keys.list, (tasks) => tasks && withStops(model, mergeStates(tasks, patches)))
  for (const patch of patches)
    client.setQueryData<Detailed<T>>(
      keys.task(patch.id),
      (task) => task && withStop(model, { ...task, ...patch }),
    )
}

/** Shows those of the tasks that can be stopped as stopping, until the returned function is called with the reply. */
export function showStopping<T extends Task>(
  client: QueryClient,
  model: TaskModel<T>,
  tasks: readonly T[],
): () => void {
  const stopped = tasks.filter((task) => isStoppable(model, task))
  const end = beginStop(stopped.map(({ id }) => id))
  patchTasks(
    client,
    model,
    stopped.map(({ id }) => ({ id, ...model.stopping })),
  )
  return end
}

/** Applies new wait reasons to every cached query that contains the tasks. */
export function patchWaits(client: QueryClient, model: TaskModel, lines: readonly WaitGroup[]): void {
  streamOverlay.waits(lines, performance.now())
  const keys = keysOf(model)
  const waits = waitsOfLines(lines)
  client.setQueryData<Task[]>(keys.list, (tasks) => tasks && mergeWaits(model, tasks, waits))
  for (const wait of waits)
    client.setQueryData<Detailed<Task>>(keys.task(wait.id), (task) =>
      task && isQueued(model, task) ? { ...task, ...wait } : undefined,
    )
}

/** Applies a change to the cached overview. */
export function patchOverview(client: QueryClient, model: TaskModel, change: Partial<Overview>): void {
  const nothing = { all_running: false, quota_backlog: null }
  client.setQueryData<Overview>(keysOf(model).overview, (before) => ({ ...nothing, ...before, ...change }))
}

/** Invalidates the cached queries of these tasks; active ones are refetched. */
export function invalidateOf(
  client: QueryClient,
  tasks: readonly { id: number }[],
  kinds: readonly ((id: number) => readonly [string, number])[],
): void {
  if (tasks.length === 0) return
  const wanted = new Set(tasks.flatMap(({ id }) => kinds.map((key) => key(id).join())))
  const isWanted = ({ queryKey }: Query) => wanted.has(queryKey.slice(0, 2).join())
  // invalidateQueries skips a query in its first fetch, but that reply can be older than the change.
  const early = client.getQueryCache().findAll({
    predicate: (query) => isWanted(query) && query.state.data === undefined,
    fetchStatus: 'fetching',
  })
  const read = client.invalidateQueries({ predicate: isWanted })
  if (early.length === 0) return
  const isEarly = (query: Query) => early.includes(query)
  void read.then(() => client.invalidateQueries({ predicate: isEarly }, { cancelRefetch: false }))
}
