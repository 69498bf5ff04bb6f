import { IconChevronDown } from '@tabler/icons-react'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { GroupButtons } from '../bulk/group-buttons.tsx'
import { summaryOf } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import classes from './group-head.module.css'
import type { Group } from './groups.ts'

type Props = {
  /** The tasks that are shown. */
  group: Group
  /** All of the type. */
  whole: Group
  folded: boolean
  last: boolean
  onFold: (id: number | null) => void
}

/** Head of a type's tasks: its name, how many, the statuses that matter most, and what can be done with all of them. */
export const GroupHead = memo(function GroupHead({ group, whole, folded, last, onFold }: Props) {
  const { shown, more } = summaryOf(useDescriptor(), group.tasks)
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
        {shown.map(({ status, count }) => (
          <StatusBadge key={status.word} status={status.word} count={count} />
        ))}
        {more && '...'}
      </div>
      <div className={classes.actions}>
        <GroupButtons group={group} whole={whole} />
      </div>
    </div>
  )
})
