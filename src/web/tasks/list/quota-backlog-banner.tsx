import { IconHourglass } from '@tabler/icons-react'
import { limits } from '../../../contract/limits.ts'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import type { QuotaBacklog } from '../../../contract/runs/waits.ts'
import { useRetainedValue } from '../../lib/use-retained-value.ts'
import classes from './quota-backlog-banner.module.css'

/** Banner while a quota delays many tasks: how many, and how many requests are ahead of them. */
export function QuotaBacklogBanner({ backlog }: { backlog: QuotaBacklog | null }) {
  // The backlog is briefly empty between requests; the retained value prevents flicker.
  const many = useRetainedValue(
    backlog && backlog.runs >= limits.quota_backlog_shown ? backlog : null,
    limits.quota_backlog_lingers_ms,
  )
  if (!many) return null
  return (
    <p className={classes.banner} role="status">
      <IconHourglass size={18} aria-hidden />
      <span>{runMessages.quota_backlog(many.service, many.runs, many.requests)}</span>
    </p>
  )
}
