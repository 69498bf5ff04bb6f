import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '../../../contract/events/calls.ts'
import type { LogEntry, TaskState } from '../../../contract/tasks/schemas.ts'
import { announce } from '../../ui/announcer.tsx'
import { keysOf } from '../cache/keys.ts'
import { invalidateOf, patchOverview, patchTasks, patchWaits } from '../cache/patches.ts'
import { taskStatus } from '../state/status.ts'
import type { Detailed, Patch, Task, TaskModel } from '../task-model.ts'
import { changesSpoken, isOtherRun, mergeEntry } from './merge.ts'
import { streamOverlay } from './stream-overlay.ts'

type Live = {
  client: QueryClient
  model: TaskModel
  /** Has the list read again. */
  readList: () => void
}

/** Puts what has changed of tasks in, and reads their runs again where there is another one or it went on. */
function applyPatches({ client, model }: Live, patches: readonly Patch<Task>[]): void {
  const keys = keysOf(model)
  const listed = new Map(client.getQueryData<Task[]>(keys.list)?.map((task) => [task.id, task]))
  const shown = (id: number) => client.getQueryData<Detailed<Task>>(keys.task(id)) ?? listed.get(id)
  const changed = patches.flatMap((patch) => {
    const before = shown(patch.id)
    const now = before && { ...before, ...patch }
    if (before && now && !isOtherRun(model, before, now)) return []
    return [{ id: patch.id, is_over: now === undefined || !taskStatus(model, now).is_live }]
  })
  patchTasks(client, model, patches)
  invalidateOf(client, changed, [keys.runs])
  // a run that is over left a receipt, and stored rows
  const over = changed.filter(({ is_over }) => is_over)
  invalidateOf(client, over, [keys.task, keys.columns])
}

function applyStates(live: Live, states: readonly TaskState[]): void {
  const { client, model } = live
  streamOverlay.states(states, performance.now())
  const spoken = changesSpoken(model, client.getQueryData<Task[]>(keysOf(model).list) ?? [], states)
  if (spoken) announce(spoken)
  applyPatches(live, states.map(model.patchOf))
}

function applyTasks(live: Live, edited: readonly { id: number }[]): void {
  const { client, model } = live
  streamOverlay.tasks(edited, performance.now())
  const keys = keysOf(model)
  const tasks = edited.flatMap((one) => model.parse(one) ?? [])
  const listed = new Map(client.getQueryData<Task[]>(keys.list)?.map((task) => [task.id, task]))
  applyPatches(live, tasks)
  invalidateOf(client, tasks, [keys.task])
  const isPlaced = (task: Task) => {
    const before = listed.get(task.id)
    return before !== undefined && model.groupOf(before).id === model.groupOf(task).id
  }
  // one that the list lacks, or that belongs elsewhere in it
  if (!tasks.every(isPlaced)) live.readList()
}

function applyEntry({ client, model }: Live, task_id: number, entry: LogEntry): void {
  streamOverlay.line(task_id, entry, performance.now())
  const keys = keysOf(model)
  client.setQueryData<LogEntry[]>(keys.logs(task_id), (entries) => entries && mergeEntry(entries, entry))
  client.setQueryData<Detailed<Task>>(
    keys.task(task_id),
    (task) => task && { ...task, logs: mergeEntry(task.logs, entry) },
  )
}

/** Shows what an event of the stream tells. */
export function applyEvent(live: Live, event: LiveEvent): void {
  const { client, model } = live
  if (event.type === 'tasks') {
    live.readList()
  } else if (event.type === 'changed') {
    applyTasks(live, event.tasks)
  } else if (event.type === 'status') {
    applyStates(live, event.tasks)
  } else if (event.type === 'run_all') {
    patchOverview(client, model, { all_running: event.all_running_status })
  } else if (event.type === 'queue') {
    patchOverview(client, model, { hold_up: event.hold_up })
    patchWaits(client, model, event.lines)
  } else if (event.type === 'log') {
    applyEntry(live, event.task_id, event.entry)
  }
}
