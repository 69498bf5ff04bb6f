import type { LogEntry, LogLevel } from '../../../contract/tasks/schemas.ts'
import type { Tone } from '../../ui/badge.tsx'
import { LogTable } from '../../ui/log-table.tsx'

const tones: Record<LogLevel, Tone> = { INFO: 'info', SUCCESS: 'success', WARNING: 'warning', ERROR: 'error' }

/** The log of a task, newest line first. */
export function TaskLog({ entries }: { entries: LogEntry[] }) {
  return (
    <LogTable
      count={entries.length}
      keyAt={(index) => entries[index]?.id ?? index}
      timeLabel="Timestamp"
      rowAt={(index) => {
        const entry = entries[index]
        return (
          entry && {
            level: entry.level,
            tone: tones[entry.level],
            message: entry.message,
            time: (
              <time dateTime={entry.timestamp} title={entry.timestamp}>
                {entry.formatted_timestamp}
              </time>
            ),
          }
        )
      }}
    />
  )
}
