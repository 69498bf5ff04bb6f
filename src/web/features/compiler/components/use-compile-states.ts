import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '../../../../contract/events/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { streamOverlay } from '../../../tasks/live/stream-overlay.ts'
import { useEventStream } from '../../../tasks/live/use-event-stream.ts'
import { addLine, readNewestLines } from '../../../tasks/log/log-cache.ts'
import { configsQuery, recordsChanged } from '../api.ts'
import { withStates, withWaits } from './compile-states.ts'
import { compileKeys } from './model.ts'
import { handleEndedCompiles, statesQuery } from './states-query.ts'

/** State of each configuration, by task_id, updated by the event stream. */
export function useCompileStates(): ReadonlyMap<number, TaskState> {
  const client = useQueryClient()
  const { lost } = useEventStream({
    of: 'compiler_tasks',
    onOpen: (again) => {
      if (again) void client.invalidateQueries(configsQuery)
      void readNewestLines(client)
    },
    onEvent: (event) => apply(client, event),
    onClose: () => {},
  })
  const query = useQuery({ ...statesQuery, refetchInterval: lost ? limits.source_poll_ms : false })
  return new Map(query.data?.map((state) => [state.id, state]))
}

function apply(client: QueryClient, event: LiveEvent): void {
  const { queryKey } = statesQuery
  if (event.type === 'status') {
    handleEndedCompiles(client, event.tasks)
    client.setQueryData(queryKey, (known) => withStates(known ?? [], event.tasks))
  } else if (event.type === 'queue') {
    client.setQueryData(queryKey, (known) => known && withWaits(known, event.lines))
  } else if (event.type === 'log') {
    streamOverlay.line(event.task_id, event.entry, performance.now())
    const configs = client.getQueryData(configsQuery.queryKey)
    const config = configs?.find(({ task_id }) => task_id === event.task_id)
    if (config) addLine(client, compileKeys.logs(config.id), event.entry)
  } else if (event.type === 'tasks') {
    void client.invalidateQueries(configsQuery)
  } else if (event.type === 'changed') {
    void client.invalidateQueries(configsQuery)
    // editing a configuration can delete records
    const edited = new Set(event.tasks.map(({ id }) => id))
    for (const { id, task_id } of client.getQueryData(configsQuery.queryKey) ?? [])
      if (edited.has(task_id)) void recordsChanged(client, id)
  }
}
