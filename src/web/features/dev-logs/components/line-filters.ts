import * as z from 'zod/mini'
import type { LogLine } from '../../../../contract/dev-logs/calls.ts'

// A line in another format can be a crash, so it ranks as a warning.
const ranks: Record<LogLine['level'], number> = {
  fatal: 4,
  error: 3,
  warn: 2,
  text: 2,
  info: 1,
  debug: 0,
  trace: 0,
}

/** Lowest level that a list of lines shows. */
export const MinLevel = z.enum(['info', 'warn', 'error'])

/** Filters of log lines; stored in the URL. Requests for static files are hidden by default. */
export type LineFilters = { search: string; minLevel: z.infer<typeof MinLevel> | null; assets: boolean }

export const noLineFilters: LineFilters = { search: '', minLevel: null, assets: false }

/** Reads the filters from the URL; invalid values are ignored. */
export const readLineFilters = (params: URLSearchParams): LineFilters => ({
  search: params.get('q') ?? '',
  minLevel: MinLevel.safeParse(params.get('level')).data ?? null,
  assets: params.get('assets') === '1',
})

/** The URL parameters with these filters; other parameters are unchanged. */
export function writeLineFilters(before: URLSearchParams, filters: LineFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  const wanted = { q: filters.search, level: filters.minLevel, assets: filters.assets ? '1' : null }
  for (const [name, value] of Object.entries(wanted)) value ? params.set(name, value) : params.delete(name)
  return params
}

const Request = z.object({ path: z.string() })

/** Whether the line logs a request for a static file. */
function isAsset({ message, details }: LogLine): boolean {
  if (message !== 'request') return false
  const { path } = Request.parse(JSON.parse(details))
  return path.startsWith('/assets/') || path === '/favicon.svg'
}

/** Lines that match the filters, in order. */
export function filterLines(lines: readonly LogLine[], { search, minLevel, assets }: LineFilters): LogLine[] {
  const wanted = search.trim().toLowerCase()
  return lines.filter(
    (line) =>
      (minLevel === null || ranks[line.level] >= ranks[minLevel]) &&
      (assets || !isAsset(line)) &&
      `${line.message} ${line.details}`.toLowerCase().includes(wanted),
  )
}
