import { IconApi, IconDatabase, IconFile, IconStack2, IconTable, IconUpload } from '@tabler/icons-react'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { kindNames, kindOf, originOf } from './labels.ts'
import classes from './source-place.module.css'

const icons = {
  ...{ google: IconTable, folder: IconFile, upload: IconUpload },
  ...{ api: IconApi, database: IconDatabase, internal: IconStack2 },
}

/** Source of a task's rows, and whether the task is the master: by position, or by its setting. */
export function SourcePlace({ task }: { task: SourceTask }) {
  const origin = originOf(task)
  const kind = kindOf(task)
  const Icon = icons[kind]
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
      <Icon size={14} aria-label={kindNames[kind]} />
      <span className={classes.origin}>{origin}</span>
    </p>
  )
}
