import { Link } from 'react-router'
import type { PipelineState, UpcomingRuns } from '../../../../contract/pipeline/calls.ts'
import {
  pipelineMessages as messages,
  tasksByCategory,
} from '../../../../contract/pipeline/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment, zoneLabel } from '../../../lib/time-zone.ts'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'

/** The next scheduled runs. */
export function ComingUp({ next, source_schedule_on }: Pick<PipelineState, 'next' | 'source_schedule_on'>) {
  const zone = useTimeZone()
  return (
    <Panel
      title={messages.coming_up}
      detail={
        <>
          {next.length > 0 && zoneLabel(zone)} <Link to="/schedule">{messages.schedule}</Link>
        </>
      }
    >
      {!source_schedule_on && (
        <p className={classes.note} data-tone="warning">
          {messages.schedule_off}
        </p>
      )}
      {next.length === 0 && <p className={classes.note}>{messages.nothing_scheduled}</p>}
      <ul className={classes.rows}>
        {next.map((runs) => (
          <li key={`${runs.at} ${runs.schedule} ${runs.category} ${runs.name}`} className={classes.coming}>
            <time dateTime={runs.at}>{formatMoment(runs.at, zone)}</time>
            <span>
              {nameOf(runs)} {runs.tasks > 1 && runs.schedule !== 'task' && <small>{sizeOf(runs)}</small>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const sizeOf = ({ category, tasks }: UpcomingRuns) =>
  tasksByCategory({ source: 0, compiler: 0, sync: 0, [category]: tasks })

function nameOf(runs: UpcomingRuns): string {
  const { schedule, category, name, tasks } = runs
  if (schedule === 'all') return category === 'sync' ? 'Run All Sync Tasks' : 'Run All Source Tasks'
  return schedule === 'task' && tasks > 1 ? sizeOf(runs) : name
}
