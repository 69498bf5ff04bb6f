import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatDay, formatMoment } from '../../../lib/time-zone.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { cutText } from '../records/cut-text.ts'
import type { RecordField } from '../records/record-fields.ts'
import { Decisions, State } from './override-table.tsx'
import classes from './overrides.module.css'

type Props = {
  config_id: number
  sku: string
  field: Pick<RecordField, 'name' | 'override' | 'live_override' | 'number_format'>
}

/** Who set the value of a field and why, and what can be decided about it. */
export function FieldOverride({ config_id, sku, field }: Props) {
  const { name, override, live_override, number_format } = field
  const zone = useTimeZone()
  const shown = live_override ?? override
  if (shown === null) return null
  const { author, reason, ends_on, created_at, value } = shown
  const isNew = shown.id !== override?.id
  return (
    <div className={classes.note}>
      {isNew && <div>{overrideMessages.coming(cutText(cellText(value, number_format)))}</div>}
      <div>
        {overrideMessages.by(author, formatMoment(created_at, zone))}
        {ends_on && ` ${overrideMessages.until(formatDay(ends_on, 'UTC'))}`}
        {reason && `: ${reason}`}
      </div>
      <State override={shown} />
      {live_override && (
        <Decisions
          config_id={config_id}
          override={{ ...live_override, sku, field: name, end_reason: null }}
        />
      )}
    </div>
  )
}
