import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { events, LiveEvent, type StreamOf } from '../../../contract/events/calls.ts'
import { limits } from '../../../contract/limits.ts'

type Options = {
  of: StreamOf
  /** Connected; `again`: after a reconnect, events in between were lost. */
  onOpen: (again: boolean) => void
  onEvent: (event: LiveEvent) => void
  /** Disconnected, or the page is hidden or left. */
  onClose: () => void
}

/**
 * Subscribes to the event stream while the page is visible (a hidden page disconnects, since browsers allow six connections per
 * host). `lost`: the connection is down, so screens have to poll.
 */
export function useEventStream({ of, ...options }: Options): { lost: boolean } {
  const visible = useDocumentVisibility() !== 'hidden'
  const [lost, setLost] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const opened = useRef(false)
  const onOpen = useEffectEvent(options.onOpen)
  const onEvent = useEffectEvent(options.onEvent)
  const onClose = useEffectEvent(options.onClose)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt opens a new stream
  useEffect(() => {
    if (!visible) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stream = new EventSource(of === 'tasks' ? events.stream.path : `${events.stream.path}?of=${of}`)
    stream.onopen = () => {
      setLost(false)
      onOpen(opened.current)
      opened.current = true
    }
    stream.onmessage = ({ data }) => onEvent(LiveEvent.parse(JSON.parse(data)))
    stream.onerror = () => {
      setLost(true)
      onClose()
      // EventSource reconnects on its own unless the server refused the connection.
      if (stream.readyState === EventSource.CLOSED)
        timer = setTimeout(() => setAttempt((count) => count + 1), limits.status_poll_ms)
    }
    return () => {
      clearTimeout(timer)
      onClose()
      stream.close()
    }
  }, [of, visible, attempt])

  return { lost: lost && visible }
}
