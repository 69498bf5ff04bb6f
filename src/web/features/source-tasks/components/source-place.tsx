import { IconApi, IconDatabase, IconStack2, IconTable } from '@tabler/icons-react'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { originNames, originOf } from './labels.ts'
import classes from './source-place.module.css'

const icons = { sheet: IconTable, api: IconApi, database: IconDatabase, internal: IconStack2 }

/** Where a task's rows come from, and whether it is the master: by position, or because it says so. */
export function SourcePlace({ task }: { task: SourceTask }) {
  const origin = originOf(task)
  const Icon = icons[task.source_type]
  const first = task.position_actions.current_position === 1
  return (
    <p title={origin}>
      {task.is_master_catalog ? (
        <span className={classes.master} data-catalog>
          {sourceMessages.master_catalog}
        </span>
      ) : (
        first && <span className={classes.master}>{sourceMessages.master}</span>
      )}
      <Icon size={14} aria-label={originNames[task.source_type]} />
      <span className={classes.origin}>{origin}</span>
    </p>
  )
}
