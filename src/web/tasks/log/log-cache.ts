import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Run } from '../../../contract/runs/calls.ts'
import type { TaskLogLine } from '../../../contract/tasks/schemas.ts'
import { LogFilters, passes } from './log-filters.ts'

/** Prefix of the query keys of a log. */
export type LogKey = readonly [string, number]

/** Lines, newest first, and the runs that wrote them. */
export type LogPage = { lines: TaskLogLine[]; runs: Run[] }
export type Lines = InfiniteData<LogPage, number | null>

export const linesKey = (key: LogKey) => [...key, 'lines'] as const
export const countsKey = (key: LogKey) => [...key, 'counts'] as const

/** Prefix of the keys of `newestQuery`. */
export const newestKey = (key: LogKey) => [...key, NEWEST] as const
const NEWEST = 'newest'

/** Reads the newest lines of the logs that are shown: those written before the event stream was open did not arrive by it. */
export const readNewestLines = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === NEWEST })

/** Adds a line to the newest ones, unless it is there; ids fall from the newest to the oldest. */
export function withLine(lines: TaskLogLine[], line: TaskLogLine): TaskLogLine[] {
  const place = lines.findIndex(({ id }) => id <= line.id)
  if (lines[place]?.id === line.id) return lines
  return place === -1 ? [...lines, line] : lines.toSpliced(place, 0, line)
}

/** Merges a line of the event stream into every cached view of a task's log. */
export function addLine(client: QueryClient, key: LogKey, line: TaskLogLine): void {
  for (const query of client.getQueryCache().findAll({ queryKey: linesKey(key) })) {
    const filters = LogFilters.parse(query.queryKey.at(-1))
    if (!passes(line, filters)) continue
    client.setQueryData<Lines>(query.queryKey, (known) => {
      const [first, ...older] = known?.pages ?? []
      return (
        known && first && { ...known, pages: [{ ...first, lines: withLine(first.lines, line) }, ...older] }
      )
    })
  }
  countAgain(client, key)
}

// Counting reads the whole log, so a burst of lines is counted once a second.
const COUNT_MS = 1000
const due = new Set<string>()

function countAgain(client: QueryClient, key: LogKey): void {
  const name = key.join()
  if (due.has(name)) return
  due.add(name)
  setTimeout(() => {
    due.delete(name)
    void client.invalidateQueries({ queryKey: countsKey(key) })
  }, COUNT_MS)
}
