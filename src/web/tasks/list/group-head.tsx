import { IconChevronDown } from '@tabler/icons-react'
import { lazy, memo, Suspense, useMemo } from 'react'
import { selectionMessages } from '../../../contract/selection/client-messages.ts'
import { formatNumber } from '../../lib/format.ts'
import { SelectBox } from '../select/select-box.tsx'
import { stateOf } from '../select/selection.ts'
import type { SelectTasks } from '../select/use-selection.ts'
import { summaryOf } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import classes from './group-head.module.css'
import type { Group } from './groups.ts'

const GroupButtons = lazy(async () => ({
  default: (await import('../bulk/group-buttons.tsx')).GroupButtons,
}))

type Props = {
  /** The tasks that the filters show. */
  group: Group
  /** All tasks of the group. */
  whole: Group
  folded: boolean
  last: boolean
  onFold: (key: string) => void
  selected: ReadonlySet<number>
  onSelect: SelectTasks
}

/** Header of a group: name, number of tasks, the most important statuses, and actions on all of its tasks. */
export const GroupHead = memo(function GroupHead({
  group,
  whole,
  folded,
  last,
  onFold,
  selected,
  onSelect,
}: Props) {
  const ids = useMemo(() => group.tasks.map(({ id }) => id), [group])
  const { shown, more } = summaryOf(useDescriptor(), group.tasks)
  return (
    <div className={classes.head} data-last={last || undefined} data-roving>
      <SelectBox
        label={selectionMessages.select_group(group.tasks.length, group.name)}
        state={stateOf(selected, ids)}
        onChange={(on) => onSelect(ids, on)}
      />
      <h2>
        <button type="button" aria-expanded={!folded} onClick={() => onFold(group.key)}>
          <IconChevronDown size={18} aria-hidden />
          {group.name}
          <span className={classes.count}>{formatNumber(group.tasks.length)}</span>
        </button>
      </h2>
      <div className={classes.summary}>
        {shown.map(({ status, count }) => (
          <StatusBadge key={status.name} status={status.name} count={count} />
        ))}
        {more && '...'}
      </div>
      <div className={classes.actions}>
        <Suspense>
          <GroupButtons group={group} whole={whole} />
        </Suspense>
      </div>
    </div>
  )
})
