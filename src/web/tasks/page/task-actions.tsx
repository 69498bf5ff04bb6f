import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { useRun, useStop, useToggleActive } from '../actions/run-actions.ts'
import { isUnderWay, wordOf } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './task-actions.module.css'

/** What one does with a task on its own page. Each button keeps its place, whatever the task is at. */
export function TaskActions({ task }: { task: Task }) {
  const descriptor = useDescriptor()
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const [editing, setEditing] = useState<Task | null>(null)
  const underWay = isUnderWay(descriptor, task)
  const { can_stop } = wordOf(descriptor, task)
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
        disabled={!can_stop}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        Stop Task
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        disabled={underWay || !descriptor.canRun(task)}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Run
      </Button>
      <Suspense>
        {editing && <descriptor.EditDialog task={editing} onClose={() => setEditing(null)} />}
      </Suspense>
    </>
  )
}
