import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allRuns } from '../../../contract/all-runs/calls.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { call } from '../../lib/call.ts'
import { keysOf } from '../cache/keys.ts'
import { unlessMissing } from '../cache/task-queries.ts'
import { streamOverlay } from '../live/stream-overlay.ts'
import type { LogLinesQuery, Task, TaskCalls, TaskModel } from '../task-model.ts'
import {
  countsKey,
  type Lines,
  type LogKey,
  type LogPage,
  linesKey,
  newestKey,
  withLine,
} from './log-cache.ts'
import { type LogFilters, passes, searchedText } from './log-filters.ts'

/** The log of a task, or of one of its runs. */
export type LogSource = {
  /** Prefix of its query keys. */
  key: LogKey
  task_id: number
  run_id?: number
  lines(query: LogLinesQuery, signal: AbortSignal): Promise<TaskLogLine[]>
  /** Message for a toast if the log cannot be loaded; null: none. */
  failure: (error: unknown) => string | null
}

/** The log of a task by the calls of its category. */
export const logOf = (
  model: Pick<TaskModel, 'api'> & { calls: Pick<TaskCalls<Task>, 'logs'> },
  id: number,
): LogSource => ({
  key: keysOf(model).logs(id),
  task_id: id,
  lines: (query, signal) => model.calls.logs(id, query, signal),
  failure: unlessMissing(taskMessages.fetch_logs_failed),
})

async function readPage(
  source: LogSource,
  { levels, search }: LogFilters,
  before: number | null,
  signal: AbortSignal,
): Promise<LogPage> {
  const lines = await source.lines(
    {
      limit: limits.logs_page_size,
      ...(before !== null && { before }),
      ...(levels.length > 0 && { level: levels.join() }),
      ...(search.trim() && { search: search.trim() }),
      ...(source.run_id !== undefined && { run_id: source.run_id }),
    },
    signal,
  )
  const ids = [...new Set(lines.flatMap(({ run_id }) => run_id ?? []))]
  // The log of one run has no headings.
  if (ids.length === 0 || source.run_id !== undefined) return { lines, runs: [] }
  return { lines, runs: await call(allRuns.some, { query: { ids: ids.join() }, signal }) }
}

/** The newest lines, with those that the event stream has brought since they were asked for. */
async function readNewest(source: LogSource, filters: LogFilters, signal: AbortSignal): Promise<LogPage> {
  const asked = performance.now()
  const page = await readPage(source, filters, null, signal)
  const live = streamOverlay
    .linesSince(source.task_id, asked)
    .filter((line) => source.run_id === undefined || line.run_id === source.run_id)
    .filter((line) => passes(line, filters))
  return { ...page, lines: live.reduce(withLine, page.lines) }
}

/** Lines that pass the filters, newest first, with cursor pagination. Live lines are merged into it. */
export const linesQuery = (source: LogSource, filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: [...linesKey(source.key), filters] as const,
    queryFn: ({ pageParam, signal }): Promise<LogPage> =>
      pageParam === null ? readNewest(source, filters, signal) : readPage(source, filters, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: ({ lines }) =>
      lines.length < limits.logs_page_size ? null : (lines.at(-1)?.id ?? null),
    placeholderData: keepPreviousData,
    // The event stream and `newestQuery` keep it current; a refetch would read all of its pages.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { failure: source.failure },
  })

/** Reads the newest lines and merges them into `linesQuery`, for a page without an event stream. */
export const newestQuery = (source: LogSource, filters: LogFilters) =>
  queryOptions({
    queryKey: [...newestKey(source.key), filters] as const,
    queryFn: async ({ client, signal }) => {
      const { queryKey } = linesQuery(source, filters)
      const page = await readNewest(source, filters, signal)
      const known = client.getQueryData<Lines>(queryKey)?.pages[0]
      if (isContinued(known, page))
        client.setQueryData<Lines>(queryKey, (before) => before && withPage(before, page))
      else client.setQueryData<Lines>(queryKey, { pages: [page], pageParams: [null] })
      void client.invalidateQueries({ queryKey: countsKey(source.key) })
      return null
    },
    meta: { failure: source.failure },
  })

/** Whether a newly read page overlaps with the known lines, so that no line between them is missing. */
function isContinued(known: LogPage | undefined, page: LogPage): boolean {
  const newest = known?.lines[0]?.id
  return newest !== undefined && page.lines.some(({ id }) => id === newest)
}

function withPage({ pages: [first, ...older], pageParams }: Lines, page: LogPage): Lines {
  const lines = page.lines.toReversed().reduce(withLine, first?.lines ?? [])
  return { pages: [{ lines, runs: [...(first?.runs ?? []), ...page.runs] }, ...older], pageParams }
}

/** Number of lines by level, of those that the search finds. */
export const countsQuery = (source: LogSource, search: string) =>
  queryOptions({
    queryKey: [...countsKey(source.key), searchedText(search)] as const,
    queryFn: ({ signal }) =>
      call(allRuns.logCounts, {
        query: {
          task_id: source.task_id,
          ...(source.run_id !== undefined && { run_id: source.run_id }),
          ...(search.trim() && { search: search.trim() }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: {},
  })
