import * as z from 'zod/mini'
import { LogLevel, type TaskLogLine } from '../../../contract/tasks/schemas.ts'

/** Filters of a log. Without levels all lines pass. */
export const LogFilters = z.object({ levels: z.array(LogLevel), search: z.string() })
export type LogFilters = z.infer<typeof LogFilters>

/** Reads the filters from the URL; invalid values are ignored. */
export const readLogFilters = (params: URLSearchParams): LogFilters => ({
  levels: (params.get('level') ?? '').split(',').flatMap((one) => LogLevel.safeParse(one).data ?? []),
  search: params.get('q') ?? '',
})

/** The URL parameters with these filters; other parameters are unchanged. */
export function writeLogFilters(before: URLSearchParams, change: Partial<LogFilters>): URLSearchParams {
  const { levels, search } = { ...readLogFilters(before), ...change }
  const params = new URLSearchParams(before)
  for (const [name, value] of Object.entries({ level: levels.join(), q: search }))
    value ? params.set(name, value) : params.delete(name)
  return params
}

/** What the server looks for: trimmed, in lower case. */
export const searchedText = (search: string) => search.trim().toLowerCase()

/** Whether a live line passes the filters, by the rules of the server. */
export const passes = ({ level, message }: TaskLogLine, { levels, search }: LogFilters) =>
  (levels.length === 0 || levels.includes(level)) && message.toLowerCase().includes(searchedText(search))
