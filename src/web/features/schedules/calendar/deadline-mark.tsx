import { IconFlag } from '@tabler/icons-react'
import type { CalendarHour } from '../../../../contract/calendar/calls.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { readyStateOf } from '../../../../contract/forecast/describe.ts'
import { formatNumber } from '../../../lib/format.ts'
import classes from './deadline-mark.module.css'
import { deadlineLabel, deadlinesInHour, isNextIn } from './deadlines.ts'

/** A flag in the hour of deadlines: red if the forecast misses one in it, yellow if it is tight. */
export function DeadlineMark({ hour, deadlines }: { hour: CalendarHour; deadlines: readonly ReadyBy[] }) {
  const own = deadlinesInHour(hour, deadlines)
  if (own.length === 0) return null
  const states = new Set(own.filter((entry) => isNextIn(hour, entry)).map(readyStateOf))
  const state = states.has('late') ? 'late' : states.has('tight') ? 'tight' : undefined
  return (
    <span className={classes.mark} data-state={state} title={own.map(deadlineLabel).join('\n')} aria-hidden>
      <IconFlag size={13} />
      {own.length > 1 && formatNumber(own.length)}
    </span>
  )
}
