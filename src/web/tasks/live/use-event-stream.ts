import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { events, LiveEvent, type StreamOf } from '../../../contract/events/calls.ts'
import { limits } from '../../../contract/limits.ts'

type Options = {
  of: StreamOf
  /** It stands; `again`: there was one before, and what happened in between was not received. */
  onOpen: (again: boolean) => void
  onEvent: (event: LiveEvent) => void
  /** It broke off, or the page is left. */
  onClose: () => void
}

/**
 * Follows the event stream while the page is in sight (a hidden page closes it, since a browser allows six connections to a host).
 * Returns whether it is lost: then a screen has to ask.
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
      // the browser reconnects by itself unless the server refused
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
