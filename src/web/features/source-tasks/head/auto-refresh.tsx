import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'

import { useTimeZone } from '../../../lib/session.ts'
import { formatClock } from '../../../lib/time-zone.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import { PlainCheckbox } from '../../../ui/plain-checkbox.tsx'
import { sourceTaskModel } from '../components/model.ts'
import classes from './head.module.css'

const KEY = 'rowferry.source_tasks.auto_refresh'

/** Refetches the list every 12 s if enabled (stored in the browser), and shows the time of the last update. */
export function AutoRefresh() {
  const zone = useTimeZone()
  const [on, setOn] = useState(() => localStorage.getItem(KEY) === 'on')
  const change = (next: boolean) => {
    localStorage.setItem(KEY, next ? 'on' : 'off')
    setOn(next)
  }
  const { dataUpdatedAt } = useQuery({
    ...tasksQuery(sourceTaskModel),
    refetchInterval: on ? limits.source_list_refresh_ms : false,
  })
  return (
    <div className={classes.refresh}>
      <PlainCheckbox label="Auto-refresh" checked={on} onChange={change} />
      {dataUpdatedAt > 0 && (
        <span className={classes.updated}>
          {sourceMessages.last_updated(formatClock(new Date(dataUpdatedAt).toISOString(), zone))}
        </span>
      )}
    </div>
  )
}
