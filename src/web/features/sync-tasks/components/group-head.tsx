import { IconChevronDown } from '@tabler/icons-react'
import { memo } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import classes from './group-head.module.css'
import type { Group } from './groups.ts'
import { countStatuses } from './status.ts'
import { StatusBadge } from './status-badge.tsx'

type Props = { group: Group; folded: boolean; last: boolean; onFold: (id: number) => void }

/** Head of a type's tasks: its name, how many, and the statuses that matter most. */
export const GroupHead = memo(function GroupHead({ group, folded, last, onFold }: Props) {
  const counts = countStatuses(group.tasks)
  return (
    <div className={classes.head} data-last={last || undefined}>
      <h2>
        <button type="button" aria-expanded={!folded} onClick={() => onFold(group.id)}>
          <IconChevronDown size={18} aria-hidden />
          {group.name}
          <span className={classes.count}>{formatNumber(group.tasks.length)}</span>
        </button>
      </h2>
      <div className={classes.summary}>
        {counts.slice(0, limits.status_summary_shown).map(({ status, count }) => (
          <StatusBadge key={status} status={status} count={count} />
        ))}
        {counts.length > limits.status_summary_more && '...'}
      </div>
    </div>
  )
})
