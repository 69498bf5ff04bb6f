import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import { addLine, type Lines } from './log-cache.ts'
import { LogFilters } from './log-filters.ts'
import { type LogSource, linesQuery, newestQuery } from './log-queries.ts'

const line = (id: number): TaskLogLine => ({
  ...{ id, run_id: null, level: 'INFO', message: `Line ${id}` },
  timestamp: '2026-11-20T09:00:00.000Z',
  formatted_timestamp: '2026-11-20 04:00:00',
})

test('a line that the event stream brings while the newest lines are read is kept, although their reply is older', async () => {
  const client = new QueryClient()
  const filters = LogFilters.parse({ levels: [], search: '' })
  const asked = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<TaskLogLine[]>()
  const source: LogSource = {
    ...{ key: ['logs', 7], task_id: 7, failure: () => null },
    lines: () => {
      asked.resolve()
      return reply.promise
    },
  }
  const { queryKey } = linesQuery(source, filters)
  client.setQueryData<Lines>(queryKey, { pages: [{ lines: [line(1)], runs: [] }], pageParams: [null] })
  const read = client.fetchQuery(newestQuery(source, filters))
  await asked.promise
  streamOverlay.line(7, line(2), performance.now())
  addLine(client, source.key, line(2))
  reply.resolve([line(1)])
  await read
  expect(client.getQueryData<Lines>(queryKey)?.pages[0]?.lines.map(({ id }) => id)).toEqual([2, 1])
})
