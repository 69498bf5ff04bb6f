import * as z from 'zod/mini'
import type { LogLine } from '../../../../contract/dev-logs/calls.ts'

// What is no line of ours may be a crash.
const ranks: Record<LogLine['level'], number> = {
  fatal: 4,
  error: 3,
  warn: 2,
  text: 2,
  info: 1,
  debug: 0,
  trace: 0,
}

const Least = z.enum(['info', 'warn', 'error'])

/** Which lines of a log are shown; kept in the address. Requests for the page's own files are left out unless wanted. */
export type LineFilters = { search: string; least: z.infer<typeof Least> | null; assets: boolean }

/** Filters that an address holds; what it says wrongly is ignored. */
export const readLineFilters = (params: URLSearchParams): LineFilters => ({
  search: params.get('q') ?? '',
  least: Least.safeParse(params.get('level')).data ?? null,
  assets: params.get('assets') === '1',
})

/** The address with these filters; what else it says stays. */
export function writeLineFilters(before: URLSearchParams, filters: LineFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  const wanted = { q: filters.search, level: filters.least, assets: filters.assets ? '1' : null }
  for (const [name, value] of Object.entries(wanted)) value ? params.set(name, value) : params.delete(name)
  return params
}

const Request = z.object({ path: z.string() })

/** Whether a line tells of a request for a file of the pages. */
function isAsset({ message, details }: LogLine): boolean {
  if (message !== 'request') return false
  const { path } = Request.parse(JSON.parse(details))
  return path.startsWith('/assets/') || path === '/favicon.svg'
}

/** The lines that the filters let through, in their order. */
export function filterLines(lines: readonly LogLine[], { search, least, assets }: LineFilters): LogLine[] {
  const wanted = search.trim().toLowerCase()
  return lines.filter(
    (line) =>
      (least === null || ranks[line.level] >= ranks[least]) &&
      (assets || !isAsset(line)) &&
      `${line.message} ${line.details}`.toLowerCase().includes(wanted),
  )
}
