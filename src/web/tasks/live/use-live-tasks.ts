import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import { keysOf } from '../cache/keys.ts'
import { readNewestLines } from '../log/log-cache.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { TaskModel } from '../task-model.ts'
import { applyEvent } from './apply-event.ts'
import { streamOverlay } from './stream-overlay.ts'
import { useEventStream } from './use-event-stream.ts'

/** Refetches the list, and once more if a fetch is in flight, whose reply may predate the change. */
async function readListAgain(client: QueryClient, model: TaskModel): Promise<void> {
  const { list } = keysOf(model)
  const under_way = client.isFetching({ queryKey: list }) > 0
  const read = () => client.invalidateQueries({ queryKey: list }, { cancelRefetch: false })
  await read()
  if (under_way) await read()
}

/** Keeps cached tasks current by the event stream. `lost`: the connection is down, so screens have to poll. */
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
      void readNewestLines(client)
    },
    onEvent: (event) => applyEvent({ client, model, readList }, event),
    onClose: () => {
      streamOverlay.is_open = false
    },
  })
}
