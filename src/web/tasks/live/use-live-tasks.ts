import { useDocumentVisibility } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { events, LiveEvent } from '../../../contract/events.ts'
import { limits } from '../../../contract/limits.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { keysOf } from '../cache/keys.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { TaskModel } from '../task-model.ts'
import { applyEvent } from './apply-event.ts'
import { streamOverlay } from './stream-overlay.ts'

/** Reads the list again, and once more where an answer is under way already: that may be older than what it is to show. */
async function readListAgain(client: QueryClient, model: TaskModel): Promise<void> {
  const { list } = keysOf(model)
  const under_way = client.isFetching({ queryKey: list }) > 0
  const read = () => client.invalidateQueries({ queryKey: list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
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
    stream.onmessage = ({ data }) =>
      applyEvent({ client, model, readList }, LiveEvent.parse(JSON.parse(data)))
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
