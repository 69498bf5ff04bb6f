import { IconHourglass } from '@tabler/icons-react'
import { limits } from '../../../contract/limits.ts'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import type { QuotaBacklog } from '../../../contract/runs/waits.ts'
import { useRetainedValue } from '../../lib/use-retained-value.ts'
import classes from './quota-backlog-banner.module.css'

/** Shows that a quota holds up many tasks: how many, and how many requests are ahead. */
export function QuotaBacklogBanner({ backlog }: { backlog: QuotaBacklog | null }) {
  // between two requests there is room for a moment: the banner does not come and go with it
  const many = useRetainedValue(
    backlog && backlog.runs >= limits.hold_up_shown ? backlog : null,
    limits.hold_up_lingers_ms,
  )
  if (!many) return null
  return (
    <p className={classes.banner} role="status">
      <IconHourglass size={18} aria-hidden />
      <span>{runMessages.hold_up(many.service, many.runs, many.requests)}</span>
    </p>
  )
}
