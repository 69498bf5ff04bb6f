import type { ReadyBy } from '../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import {
  basisText,
  forecastText,
  type ReadyState,
  readyStateOf,
} from '../../../contract/forecast/describe.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatClock } from '../../lib/time-zone.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import classes from './forecast-line.module.css'

const tones: Record<ReadyState, Tone> = {
  ready: 'success',
  on_time: 'success',
  tight: 'warning',
  late: 'error',
  unknown: 'neutral',
}

/** State of a deadline. */
export function ReadyBadge({ entry }: { entry: ReadyBy }) {
  const state = readyStateOf(entry)
  return <Badge tone={tones[state]} label={messages.state[state]} />
}

/** State of a deadline, its forecast in words, and what the forecast is based on. */
export function ForecastLine({ entry }: { entry: ReadyBy }) {
  const zone = useTimeZone()
  const basis = basisText(entry)
  return (
    <span className={classes.line}>
      <ReadyBadge entry={entry} />{' '}
      <span>
        {forecastText(entry, (iso) => formatClock(iso, zone).slice(0, 5))}
        {basis && <small> {basis}</small>}
      </span>
    </span>
  )
}
