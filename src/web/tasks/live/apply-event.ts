import type { QueryClient } from '@tanstack/react-query'
import { leavingTasks } from '../../../contract/bulk/leaving.ts'
import type { LiveEvent } from '../../../contract/events/calls.ts'
import type { TaskLogLine, TaskState } from '../../../contract/tasks/schemas.ts'
import { announce } from '../../ui/announcer.tsx'
import { keysOf } from '../cache/keys.ts'
import { invalidateOf, patchOverview, patchTasks, patchWaits } from '../cache/patches.ts'
import { addLine } from '../log/log-cache.ts'
import { taskStatus } from '../state/status.ts'
import type { Detailed, Patch, Task, TaskModel } from '../task-model.ts'
import { isOtherRun, mergeEntry, statusAnnouncement } from './merge.ts'
import { streamOverlay } from './stream-overlay.ts'

type Live = {
  client: QueryClient
  model: TaskModel
  /** Refetches the list. */
  readList: () => void
}

/** Applies task changes to the cache, and refetches the runs of tasks whose run is new or has progressed. */
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
  // A finished run has a receipt and stored rows.
  const over = changed.filter(({ is_over }) => is_over)
  invalidateOf(client, over, [keys.task, keys.columns])
}

function applyStates(live: Live, states: readonly TaskState[]): void {
  const { client, model } = live
  streamOverlay.states(states, performance.now())
  const announcement = statusAnnouncement(
    model,
    client.getQueryData<Task[]>(keysOf(model).list) ?? [],
    states,
  )
  if (announcement) announce(announcement)
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
  // The task is new, or its position in the list has changed.
  if (!tasks.every(isPlaced)) live.readList()
}

function applyEntry({ client, model }: Live, task_id: number, entry: TaskLogLine): void {
  streamOverlay.line(task_id, entry, performance.now())
  const keys = keysOf(model)
  addLine(client, keys.logs(task_id), entry)
  client.setQueryData<Detailed<Task>>(
    keys.task(task_id),
    (task) => task && { ...task, logs: mergeEntry(task.logs, entry) },
  )
}

/** Applies an event of the stream to the cache. */
export function applyEvent(live: Live, event: LiveEvent): void {
  const { client, model } = live
  if (event.type === 'tasks') {
    live.readList()
    void client.invalidateQueries({ queryKey: [leavingTasks.path] })
  } else if (event.type === 'changed') {
    applyTasks(live, event.tasks)
  } else if (event.type === 'status') {
    applyStates(live, event.tasks)
  } else if (event.type === 'run_all') {
    patchOverview(client, model, { all_running: event.all_running_status })
  } else if (event.type === 'queue') {
    patchOverview(client, model, { quota_backlog: event.quota_backlog })
    patchWaits(client, model, event.lines)
  } else if (event.type === 'log') {
    applyEntry(live, event.task_id, event.entry)
  }
}
