import { useDocumentVisibility } from '@mantine/hooks'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { events, LiveEvent } from '../../../../contract/events.ts'
import { limits } from '../../../../contract/limits.ts'
import { isLive } from '../../../../contract/status.ts'
import type { LogEntry, SyncTask, SyncTaskDetail, TaskState } from '../../../../contract/sync-tasks.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import { announce } from '../../../ui/announcer.tsx'
import { heard, keys, putStates, statusQuery } from '../api.ts'
import { changesSpoken, mergeEntry } from './merge.ts'
import { watchNeeded } from './status.ts'

function applyStates(client: QueryClient, states: readonly TaskState[], readList: () => void): void {
  heard.states(states, performance.now())
  const tasks = client.getQueryData<SyncTask[]>(keys.list) ?? []
  const spoken = changesSpoken(tasks, states)
  if (spoken) announce(spoken)
  const shown = (id: number) =>
    client.getQueryData<SyncTaskDetail>(keys.task(id)) ?? tasks.find((task) => task.id === id)
  const changed = states.filter(({ id, task_status }) => shown(id)?.task_status !== task_status)
  const ended = changed.filter(({ task_status }) => !isLive(task_status))
  putStates(client, states)
  for (const { id } of changed) void client.invalidateQueries({ queryKey: keys.runs(id) })
  // a run that has ended left a receipt, and copied data
  for (const { id } of ended)
    for (const queryKey of [keys.task(id), keys.columns(id)]) void client.invalidateQueries({ queryKey })
  // the first one of a task found out what its spreadsheets are called
  if (ended.some(({ id }) => shown(id)?.target_ss_name === '')) readList()
}

/** Reads the list again, and once more where an answer is under way already: that may be older than what it is to show. */
async function readListAgain(client: QueryClient): Promise<void> {
  const under_way = client.isFetching({ queryKey: keys.list }) > 0
  const read = () => client.invalidateQueries({ queryKey: keys.list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
}

function apply(client: QueryClient, event: LiveEvent, readList: () => void): void {
  if (event.type === 'tasks') {
    readList()
  } else if (event.type === 'status') {
    applyStates(client, event.tasks, readList)
  } else if (event.type === 'run_all') {
    // an answer under way may be older
    void client
      .cancelQueries({ queryKey: keys.allRunning })
      .then(() => client.setQueryData(keys.allRunning, event.all_running_status))
  } else {
    const { task_id, entry } = event
    heard.line(task_id, entry, performance.now())
    client.setQueryData<LogEntry[]>(keys.logs(task_id), (entries) => entries && mergeEntry(entries, entry))
    client.setQueryData<SyncTaskDetail>(
      keys.task(task_id),
      (task) => task && { ...task, logs: mergeEntry(task.logs, entry) },
    )
  }
}

/**
 * Keeps what is shown of tasks up to date while the page is in sight: by the event stream (a hidden page closes it, since a browser
 * allows six connections to a host), and where there is none by asking. Gives whether the stream is lost.
 */
export function useLiveTasks(tasks: readonly SyncTask[]): { lost: boolean } {
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
      // what happened between two streams was not heard
      if (opened.current) readList()
      opened.current = true
    }
    stream.onmessage = ({ data }) => apply(client, LiveEvent.parse(JSON.parse(data)), readList)
    stream.onerror = () => {
      setLost(true)
      // the browser reconnects by itself unless the server refused
      if (stream.readyState === EventSource.CLOSED)
        timer = setTimeout(() => setAttempt((count) => count + 1), limits.status_poll_ms)
    }
    return () => {
      clearTimeout(timer)
      stream.close()
    }
  }, [client, visible, attempt])

  const watch = lost && visible ? watchNeeded(tasks) : 'none'
  useQuery({
    ...statusQuery,
    enabled: watch !== 'none',
    refetchInterval: watch === 'poll' ? limits.status_poll_ms : false,
  })
  return { lost }
}
