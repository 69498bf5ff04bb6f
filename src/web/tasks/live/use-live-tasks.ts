import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { keysOf } from '../cache/keys.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { TaskModel } from '../task-model.ts'
import { applyEvent } from './apply-event.ts'
import { streamOverlay } from './stream-overlay.ts'
import { useEventStream } from './use-event-stream.ts'

/** Reads the list again, and once more where an answer is under way already: that may be older than what it is to show. */
async function readListAgain(client: QueryClient, model: TaskModel): Promise<void> {
  const { list } = keysOf(model)
  const under_way = client.isFetching({ queryKey: list }) > 0
  const read = () => client.invalidateQueries({ queryKey: list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
}

/** Keeps what is shown of tasks up to date by the event stream. Returns whether the stream is lost: then a screen has to ask. */
export function useLiveTasks(): { lost: boolean } {
  const client = useQueryClient()
  const model: TaskModel = useDescriptor()
  const readList = useMemo(() => {
    const read = oneAtATime(() => readListAgain(client, model))
    return () => void read()
  }, [client, model])
  return useEventStream({
    of: model.stream,
    onOpen: (again) => {
      streamOverlay.is_open = true
      if (again) readList()
    },
    onEvent: (event) => applyEvent({ client, model, readList }, event),
    onClose: () => {
      streamOverlay.is_open = false
    },
  })
}
