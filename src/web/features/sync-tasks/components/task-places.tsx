import { IconArrowNarrowRight, IconDatabase, IconTable } from '@tabler/icons-react'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { sourceOf, targetOf } from './labels.ts'
import classes from './task-places.module.css'

/** From where to where a task copies. */
export function TaskPlaces({ task }: { task: SyncTask }) {
  const source = sourceOf(task)
  const target = targetOf(task)
  const SourceIcon = task.source_type === 'internal' ? IconDatabase : IconTable
  return (
    <p title={`${source} → ${target}`}>
      <span className={classes.place}>
        <SourceIcon size={14} aria-hidden />
        <span>{source}</span>
      </span>
      <span className={classes.place}>
        <IconArrowNarrowRight size={14} aria-label="to" />
        <span>{target}</span>
      </span>
    </p>
  )
}
