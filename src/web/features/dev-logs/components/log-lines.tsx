import type { LogLine } from '../../../../contract/dev-logs/calls.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { LogTable } from '../../../ui/log-table.tsx'
import { asText } from '../api.ts'

const tones: Record<LogLine['level'], Tone> = {
  fatal: 'error',
  error: 'error',
  warn: 'warning',
  info: 'info',
  debug: 'neutral',
  trace: 'neutral',
  text: 'neutral',
}

/** Lines of a log file, passed oldest first and displayed newest first. */
export function LogLines({ lines, search }: { lines: LogLine[]; search: string }) {
  return (
    <LogTable
      count={lines.length}
      timeLabel="Time"
      search={search.trim().toLowerCase()}
      rowAt={(index) => {
        const line = lines[lines.length - 1 - index]
        return (
          line && {
            level: line.level.toUpperCase(),
            tone: tones[line.level],
            message: line.message,
            text: asText([line]),
            details: line.details,
            time: line.time !== null && <Time iso={line.time} />,
          }
        )
      }}
    />
  )
}

function Time({ iso }: { iso: string }) {
  const zone = useTimeZone()
  const known = !Number.isNaN(Date.parse(iso))
  return (
    <time dateTime={known ? iso : undefined} title={iso}>
      {known ? formatLongMoment(iso, zone) : iso}
    </time>
  )
}
