import type { LogEntry, TaskLogLine } from '../../contract/tasks/schemas.ts'
import type { Db } from '../platform/db.ts'
import type { LogLevel } from '../platform/schema.ts'

export const DEFAULT_ZONE = 'America/New_York'

type Row = { id: string | number; level: LogLevel; message: string; created_at: Date }

/** Adds a line to a task's log; `run_id` is null for a line without a run. Notified when the transaction commits. */
export async function writeLog(
  db: Db,
  line: { task_id: number; run_id: number | null; level: LogLevel; message: string },
): Promise<void> {
  await db.insertInto('log_entries').values(line).execute()
}

/** A log line in the contract's form; `formatted_timestamp` is in `zone`, to the second. */
export const presentLogEntry = (row: Row, zone = DEFAULT_ZONE): LogEntry => ({
  id: Number(row.id),
  level: row.level,
  message: row.message,
  timestamp: row.created_at.toISOString(),
  formatted_timestamp: formatMoment(row.created_at, zone),
})

/** The same with the id of its run. */
export const presentLogLine = (row: Row & { run_id: number | null }, zone: string): TaskLogLine => ({
  ...presentLogEntry(row, zone),
  run_id: row.run_id,
})

/** `2026-11-20 04:19:12 EST`. New York is labelled EST all year. */
export function formatMoment(moment: Date, zone: string): string {
  const { offset_ms, label } = clockOf(moment, zone)
  const local = new Date(moment.getTime() + offset_ms).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${label}`
}

type Clock = { offset_ms: number; label: string }

// Intl takes 15 µs per call and a list formats 400 timestamps, so offsets are cached per quarter of an hour.
const QUARTER_MS = 15 * 60_000
const CLOCKS_AT_MOST = 10_000
const clocks = new Map<string, Clock>()

function clockOf(moment: Date, zone: string): Clock {
  const quarter = Math.floor(moment.getTime() / QUARTER_MS)
  const key = `${zone} ${quarter}`
  const known = clocks.get(key)
  if (known) return known
  const clock = readClock(quarter * QUARTER_MS, zone)
  if (clocks.size >= CLOCKS_AT_MOST) clocks.clear()
  clocks.set(key, clock)
  return clock
}

function readClock(ms: number, zone: string): Clock {
  const part = Object.fromEntries(
    formatter(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const local = Date.parse(
    `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`,
  )
  return { offset_ms: local - ms, label: zone === DEFAULT_ZONE ? 'EST' : (part.timeZoneName ?? zone) }
}

// Creating a formatter takes a hundred times as long as using it.
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
