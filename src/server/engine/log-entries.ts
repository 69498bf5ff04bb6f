import type { LogEntry } from '../../contract/sync-tasks.ts'
import type { LogLevel } from '../platform/schema.ts'
import type { Db } from './types.ts'

export const DEFAULT_ZONE = 'America/New_York'

type Row = { id: string | number; level: LogLevel; message: string; created_at: Date }

/** Adds a line to a task's log; `run_id` null when no run said it. Announced when the transaction commits. */
export async function writeLog(
  db: Db,
  line: { task_id: number; run_id: number | null; level: LogLevel; message: string },
): Promise<void> {
  await db.insertInto('log_entries').values(line).execute()
}

/** A log line as the contract has it; `formatted_timestamp` is in `zone`, to the second. */
export const presentLogEntry = (row: Row, zone = DEFAULT_ZONE): LogEntry => ({
  id: Number(row.id),
  level: row.level,
  message: row.message,
  timestamp: row.created_at.toISOString(),
  formatted_timestamp: formatMoment(row.created_at, zone),
})

/** `2026-11-20 04:19:12 EST`. New York is labelled EST all year, as the product's screens have it. */
export function formatMoment(moment: Date, zone: string): string {
  const part = Object.fromEntries(
    formatter(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  const label = zone === DEFAULT_ZONE ? 'EST' : part.timeZoneName
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${label}`
}

// Making one takes a hundred times as long as using it.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  formatters.set(zone, made)
  return made
}
