import type { LogLevel, TaskLogLine } from '../../../contract/tasks/schemas.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { LogRow } from '../../ui/log-table.tsx'
import { lineText } from './log-items.ts'

/** Colour of each level. */
export const levelTones: Record<LogLevel, Tone> = {
  INFO: 'info',
  SUCCESS: 'success',
  WARNING: 'warning',
  ERROR: 'error',
}

/** A line as a row of the table. */
export const rowOf = (line: TaskLogLine): LogRow => ({
  level: line.level,
  tone: levelTones[line.level],
  message: line.message,
  text: lineText(line),
  time: (
    <time dateTime={line.timestamp} title={line.timestamp}>
      {line.formatted_timestamp}
    </time>
  ),
})
