import { useDocumentVisibility } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { events, LiveEvent } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import { isLive } from '../../../contract/status.ts'
import {
  SyncTask,
  type SyncTaskDetail,
  type SyncTaskState,
  syncTaskState,
} from '../../../contract/sync-tasks.ts'
import type { LogEntry } from '../../../contract/tasks.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { announce } from '../../ui/announcer.tsx'
import { invalidateOf, keys, patchStates, putOverview, putTasks, putWaits, streamOverlay } from '../api.ts'
import { changesSpoken, mergeEntry } from './merge.ts'

function applyStates(client: QueryClient, states: readonly SyncTaskState[]): void {
  streamOverlay.states(states, performance.now())
  const tasks = client.getQueryData<SyncTask[]>(keys.list) ?? []
  const spoken = changesSpoken(tasks, states)
  if (spoken) announce(spoken)
  const listed = new Map(tasks.map((task) => [task.id, task.task_status]))
  const shown = (id: number) =>
    client.getQueryData<SyncTaskDetail>(keys.task(id))?.task_status ?? listed.get(id)
  const changed = states.filter(({ id, task_status }) => shown(id) !== task_status)
  const ended = changed.filter(({ task_status }) => !isLive(task_status))
  patchStates(client, states)
  invalidateOf(client, changed, [keys.runs])
  // a run that has ended left a receipt, and copied data
  invalidateOf(client, ended, [keys.task, keys.columns])
}

function applyTasks(client: QueryClient, tasks: readonly SyncTask[], readList: () => void): void {
  const listed = new Map(client.getQueryData<SyncTask[]>(keys.list)?.map((task) => [task.id, task]))
  putTasks(client, tasks)
  invalidateOf(client, tasks, [keys.task])
  // one that the list lacks, or that belongs elsewhere in it
  if (tasks.some(({ id, sync_task_type_id }) => listed.get(id)?.sync_task_type_id !== sync_task_type_id))
    readList()
}

/** Reads the list again, and once more where an answer is under way already: that may be older than what it is to show. */
async function readListAgain(client: QueryClient): Promise<void> {
  const under_way = client.isFetching({ queryKey: keys.list }) > 0
  const read = () => client.invalidateQueries({ queryKey: keys.list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
}

function applyEntry(client: QueryClient, task_id: number, entry: LogEntry): void {
  streamOverlay.line(task_id, entry, performance.now())
  client.setQueryData<LogEntry[]>(keys.logs(task_id), (entries) => entries && mergeEntry(entries, entry))
  client.setQueryData<SyncTaskDetail>(
    keys.task(task_id),
    (task) => task && { ...task, logs: mergeEntry(task.logs, entry) },
  )
}

function apply(client: QueryClient, event: LiveEvent, readList: () => void): void {
  if (event.type === 'tasks') {
    readList()
  } else if (event.type === 'changed') {
    applyTasks(client, SyncTask.array().parse(event.tasks), readList)
  } else if (event.type === 'status') {
    applyStates(client, event.tasks.map(syncTaskState))
  } else if (event.type === 'run_all') {
    putOverview(client, { all_running: event.all_running_status })
  } else if (event.type === 'queue') {
    putOverview(client, { hold_up: event.hold_up })
    putWaits(client, event.lines)
  } else {
    applyEntry(client, event.task_id, event.entry)
  }
}

/**
 * Keeps what is shown of tasks up to date by the event stream while the page is in sight (a hidden page closes it, since a browser
 * allows six connections to a host). Returns whether the stream is lost: then a screen has to ask.
 */
export function useLiveTasks(): { lost: boolean } {
  const client = useQueryClient()
  const visible = useDocumentVisibility() !== 'hidden'
  const [lost, setLost] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const opened = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt opens a new stream
  useEffect(() => {
    if (!visible) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = oneAtATime(() => readListAgain(client))
    const readList = () => void read()
    const stream = new EventSource(events.stream.path)
    stream.onopen = () => {
      setLost(false)
      streamOverlay.is_open = true
      // what happened between two streams was not heard
      if (opened.current) readList()
      opened.current = true
    }
    stream.onmessage = ({ data }) => apply(client, LiveEvent.parse(JSON.parse(data)), readList)
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
  }, [client, visible, attempt])

  return { lost: lost && visible }
}
