import { Button } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { heldBack } from '../../ui/held-back.ts'
import { Switch } from '../../ui/switch.tsx'
import { useRun, useStop, useToggleActive } from '../actions/run-actions.ts'
import { lockOf, runRefusal, stopRefusal } from '../state/locks.ts'
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
        {...heldBack(lockOf(descriptor, task), () => setEditing(task))}
      >
        Edit
      </Button>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        loading={stop.isPending}
        {...heldBack(stopRefusal(descriptor, task), stop.mutate)}
      >
        Stop Task
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={run.isPending}
        {...heldBack(runRefusal(descriptor, task), run.mutate)}
      >
        Run
      </Button>
      <Suspense>
        {editing && <descriptor.EditDialog task={editing} onClose={() => setEditing(null)} />}
      </Suspense>
    </>
  )
}
