import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { LogLevel } from '../../../contract/tasks/schemas.ts'
import { formatCount, formatPart } from '../../lib/format.ts'
import type { LogFilters } from './log-filters.ts'
import { countsQuery, type LogSource, linesQuery, newestQuery } from './log-queries.ts'

/** Options of a view of a log. */
export type LogOptions = {
  source: LogSource
  filters: LogFilters
  /** Interval in which the newest lines are read, for a page without an event stream; false: not. */
  poll_ms: number | false
}

/** The lines of a log that pass the filters, as far as they are loaded, and how many there are. */
export function useLog({ source, filters, poll_ms }: LogOptions) {
  const query = useInfiniteQuery(linesQuery(source, filters))
  useQuery({
    ...newestQuery(source, filters),
    enabled: query.isSuccess && !query.isPlaceholderData,
    initialData: null,
    initialDataUpdatedAt: query.dataUpdatedAt,
    refetchInterval: poll_ms,
  })
  const counts = useQuery(countsQuery(source, filters.search)).data
  const all = useQuery(countsQuery(source, '')).data
  const lines = query.data?.pages.flatMap((page) => page.lines) ?? []
  const is_filtered = filters.levels.length > 0 || filters.search.trim() !== ''
  const total = all && sumOf(all, [])
  const count = counts && sumOf(counts, filters.levels)
  return {
    query,
    lines,
    /** Lines that the search finds, by level. */
    counts,
    /** Lines that pass all filters. */
    count,
    is_empty: query.isSuccess && lines.length === 0 && (!is_filtered || total === 0),
    subtitle:
      total === undefined
        ? undefined
        : is_filtered && count !== undefined
          ? formatPart(count, total, 'line')
          : formatCount(total, 'line'),
    /** Loads older lines; null: there are none. */
    more: query.hasNextPage ? async () => (await query.fetchNextPage()).data : null,
  }
}

const sumOf = (counts: Record<LogLevel, number>, levels: readonly LogLevel[]) =>
  Object.entries(counts).reduce(
    (sum, [level, count]) => sum + (levels.length === 0 || levels.some((one) => one === level) ? count : 0),
    0,
  )
