import { useDocumentVisibility } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { events, LiveEvent } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import type { LogEntry, TaskState } from '../../../contract/tasks.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { announce } from '../../ui/announcer.tsx'
import { keysOf } from '../cache/keys.ts'
import { invalidateOf, patchOverview, patchTasks, patchWaits } from '../cache/patches.ts'
import { statusNamed } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Detailed, Task, TaskModel } from '../task-model.ts'
import { changesSpoken, mergeEntry } from './merge.ts'
import { streamOverlay } from './stream-overlay.ts'

type Live = { client: QueryClient; model: TaskModel; readList: () => void }

function applyStates({ client, model }: Live, states: readonly TaskState[]): void {
  streamOverlay.states(states, performance.now())
  const keys = keysOf(model)
  const tasks = client.getQueryData<Task[]>(keys.list) ?? []
  const spoken = changesSpoken(model, tasks, states)
  if (spoken) announce(spoken)
  const listed = new Map(tasks.map((task) => [task.id, task]))
  const shown = (id: number) => client.getQueryData<Detailed<Task>>(keys.task(id)) ?? listed.get(id)
  const changed = states.filter(({ id, state }) => {
    const task = shown(id)
    return task === undefined || model.statusOf(task) !== model.statusOfRun(state)
  })
  const ended = changed.filter(({ state }) => !statusNamed(model, model.statusOfRun(state)).is_live)
  patchTasks(client, model, states.map(model.patchOf))
  invalidateOf(client, changed, [keys.runs])
  // a run that has ended left a receipt, and stored rows
  invalidateOf(client, ended, [keys.task, keys.columns])
}

function applyTasks({ client, model, readList }: Live, edited: readonly { id: number }[]): void {
  streamOverlay.tasks(edited, performance.now())
  const keys = keysOf(model)
  const tasks = edited.flatMap((one) => model.parse(one) ?? [])
  const listed = new Map(client.getQueryData<Task[]>(keys.list)?.map((task) => [task.id, task]))
  patchTasks(client, model, tasks)
  invalidateOf(client, tasks, [keys.task])
  const isPlaced = (task: Task) => {
    const before = listed.get(task.id)
    return before !== undefined && model.groupOf(before).id === model.groupOf(task).id
  }
  // one that the list lacks, or that belongs elsewhere in it
  if (!tasks.every(isPlaced)) readList()
}

/** Reads the list again, and once more where an answer is under way already: that may be older than what it is to show. */
async function readListAgain(client: QueryClient, model: TaskModel): Promise<void> {
  const { list } = keysOf(model)
  const under_way = client.isFetching({ queryKey: list }) > 0
  const read = () => client.invalidateQueries({ queryKey: list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
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

function apply(live: Live, event: LiveEvent): void {
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
  } else {
    applyEntry(live, event.task_id, event.entry)
  }
}

/**
 * Keeps what is shown of tasks up to date by the event stream while the page is in sight (a hidden page closes it, since a browser
 * allows six connections to a host). Returns whether the stream is lost: then a screen has to ask.
 */
export function useLiveTasks(): { lost: boolean } {
  const client = useQueryClient()
  const model: TaskModel = useDescriptor()
  const visible = useDocumentVisibility() !== 'hidden'
  const [lost, setLost] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const opened = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt opens a new stream
  useEffect(() => {
    if (!visible) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = oneAtATime(() => readListAgain(client, model))
    const readList = () => void read()
    const stream = new EventSource(events.stream.path)
    stream.onopen = () => {
      setLost(false)
      streamOverlay.is_open = true
      // what happened between two streams was not received
      if (opened.current) readList()
      opened.current = true
    }
    stream.onmessage = ({ data }) => apply({ client, model, readList }, LiveEvent.parse(JSON.parse(data)))
    stream.onerror = () => {
      setLost(true)
      streamOverlay.is_open = false
      // the browser reconnects by itself unless the server refused
      if (stream.readyState === EventSource.CLOSED)
        timer = setTimeout(() => setAttempt((count) => count + 1), limits.status_poll_ms)
    }
    return () => {
      clearTimeout(timer)
      streamOverlay.is_open = false
      stream.close()
    }
  }, [client, model, visible, attempt])

  return { lost: lost && visible }
}
