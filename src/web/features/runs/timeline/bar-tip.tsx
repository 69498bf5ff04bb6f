import { planMessages } from '../../../../contract/plans/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { nameOfRun, stateLabels } from '../components/run-labels.ts'
import { barParts, barTimes } from './bar-labels.ts'
import type { Bar } from './layout.ts'
import classes from './timeline.module.css'

const WIDTH = 300

/** What a bar is, beside the pointer. */
export function BarTip({ bar, x, y }: { bar: Bar; x: number; y: number }) {
  const zone = useTimeZone()
  const left = Math.min(x + 14, window.innerWidth - WIDTH - 12)
  const above = y > window.innerHeight - 180
  return (
    <div
      className={classes.tip}
      style={{ left, width: WIDTH, ...(above ? { bottom: window.innerHeight - y + 12 } : { top: y + 16 }) }}
      aria-hidden
    >
      <p>
        <b>{nameOfRun(bar.run)}</b> <Badge {...stateLabels[bar.run.state]} />
        {bar.run.is_preview && <> {planMessages.of_sync_task}</>}
      </p>
      <p>{barTimes(bar, zone)}</p>
      {barParts(bar).map((part) => (
        <p key={part}>{part}</p>
      ))}
    </div>
  )
}
