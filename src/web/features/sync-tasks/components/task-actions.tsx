import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { useRun, useStop, useToggleActive } from '../../../tasks/actions/run-actions.ts'
import { canStop, isUnderWay } from '../../../tasks/state/status.ts'
import { Switch } from '../../../ui/switch.tsx'
import classes from './task-actions.module.css'

const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.tsx')).TaskDialog }))

/** What one does with a task on its own page. Each button keeps its place, whatever the task is at. */
export function TaskActions({ task }: { task: SyncTask }) {
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const [editing, setEditing] = useState<SyncTask | null>(null)
  const close = () => setEditing(null)
  const underWay = isUnderWay(task)
  return (
    <>
      <span className={classes.active}>
        <Switch
          label="Active"
          showLabel
          checked={task.is_active}
          locked={toggle.isPending}
          onChange={toggle.mutate}
        />
      </span>
      <Button
        variant="default"
        leftSection={<IconPencil size={17} aria-hidden />}
        disabled={underWay}
        onClick={() => setEditing(task)}
      >
        Edit
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        disabled={!canStop(task.task_status)}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        Stop Task
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        disabled={underWay}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Run
      </Button>
      <Suspense>
        {editing && (
          <TaskDialog task={editing} chunkSize={editing.chunk_size} onClose={close} onSaved={close} />
        )}
      </Suspense>
    </>
  )
}
