import { VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { DayOfRuns } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from './panel.tsx'
import classes from './run-days.module.css'
import { scaleOf } from './scale.ts'

// From bottom to top.
const outcomes = [
  { key: 'success', label: 'Success' },
  { key: 'warning', label: 'Warning' },
  { key: 'failed', label: 'Failed' },
  { key: 'stopped', label: 'Stopped' },
] as const

const dayName = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const nameOf = ({ day }: DayOfRuns) => dayName.format(new Date(day))
const totalOf = (day: DayOfRuns) => outcomes.reduce((sum, { key }) => sum + day[key], 0)

/** Runs per day by result, oldest day at the left: a bar chart, and a table for screen readers. */
export function RunDays({ days }: { days: readonly DayOfRuns[] }) {
  const { top, lines } = scaleOf(Math.max(...days.map(totalOf)))
  const shown = outcomes.filter(({ key }) => key === 'success' || days.some((day) => day[key] > 0))
  if (days.every((day) => totalOf(day) === 0))
    return (
      <Panel title={messages.runs_per_day}>
        <p className={classes.none}>{messages.no_runs}</p>
      </Panel>
    )
  return (
    <Panel
      title={messages.runs_per_day}
      detail={
        <span className={classes.detail}>
          <Legend shown={shown} />
          <Link to="/runs" className={classes.all}>
            {taskMessages.all_runs}
          </Link>
          <Link to="/runs?view=timeline" className={classes.all}>
            {taskMessages.timeline}
          </Link>
        </span>
      }
    >
      <div className={classes.chart} aria-hidden>
        <div className={classes.lines}>
          {lines.map((value) => (
            <span key={value} style={{ bottom: `${(value / top) * 100}%` }}>
              {formatNumber(value)}
            </span>
          ))}
        </div>
        <div className={classes.bars}>
          {days.map((day) => (
            <div key={day.day} className={classes.day} title={titleOf(day)}>
              <div className={classes.bar}>
                {shown.map(({ key }) => (
                  <span key={key} data-outcome={key} style={{ height: `${(day[key] / top) * 100}%` }} />
                ))}
              </div>
              <small>{nameOf(day)}</small>
            </div>
          ))}
        </div>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{messages.runs_per_day}</caption>
          <thead>
            <tr>
              <th>Day</th>
              {shown.map(({ key, label }) => (
                <th key={key}>{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day}>
                <th>{nameOf(day)}</th>
                {shown.map(({ key }) => (
                  <td key={key}>{day[key]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Panel>
  )
}

const titleOf = (day: DayOfRuns) =>
  [
    nameOf(day),
    ...outcomes.filter(({ key }) => day[key] > 0).map(({ key, label }) => `${label} ${day[key]}`),
  ].join('\n')

const Legend = ({ shown }: { shown: readonly (typeof outcomes)[number][] }) => (
  <span className={classes.legend}>
    {shown.map(({ key, label }) => (
      <span key={key} data-outcome={key}>
        {label}
      </span>
    ))}
  </span>
)
