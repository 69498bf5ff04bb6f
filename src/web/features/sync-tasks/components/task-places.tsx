import { IconArrowNarrowRight, IconDatabase, IconFile, IconTable } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { writeText } from '../../../../contract/rows/write-labels.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { kindNames, sourceKindOf, sourceOf, targetOf } from './labels.ts'
import classes from './task-places.module.css'

const icons = { google: IconTable, file: IconFile, internal: IconDatabase }

const OlderVersionMark = lazy(async () => ({
  default: (await import('./older-version.tsx')).OlderVersionMark,
}))

/** Source and target of a task; below them, that the target holds an older version. */
export function TaskPlaces({ task }: { task: SyncTask }) {
  const source = sourceOf(task)
  const target = targetOf(task)
  const mode = writeText(task)
  const kind = sourceKindOf(task)
  const SourceIcon = icons[kind]
  return (
    <>
      <p title={`${source} → ${target}`}>
        <span className={classes.place}>
          <SourceIcon size={14} aria-label={kindNames[kind]} />
          <span>{source}</span>
        </span>
        <span className={classes.place}>
          <IconArrowNarrowRight size={14} aria-label="to" />
          {isFilePath(task.target_ss_id) && <IconFile size={14} aria-label={kindNames.file} />}
          <span>{target}</span>
        </span>
        {mode !== null && (
          <span className={classes.mode} title={mode}>
            {mode}
          </span>
        )}
      </p>
      {(task.older_version !== null || task.is_schedule_paused) && (
        <Suspense>
          <OlderVersionMark task={task} />
        </Suspense>
      )}
    </>
  )
}
