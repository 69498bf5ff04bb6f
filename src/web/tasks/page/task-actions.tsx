import { Button } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useRun, useStop, useToggleActive } from '../actions/run-actions.ts'
import { lockOf, runRefusal, stopRefusal } from '../state/locks.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './task-actions.module.css'

const PageMenuItems = lazy(async () => ({ default: (await import('./page-menu-items.tsx')).PageMenuItems }))

/** Actions on a task's own page. Buttons keep their position in every status. */
export function TaskActions({ task }: { task: Task }) {
  const descriptor = useDescriptor()
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const navigate = useNavigate()
  const [copied, setCopied] = useState<Task | null>(null)
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
        {...disabledWithReason(lockOf(descriptor, task), () => setEditing(task))}
      >
        Edit
      </Button>
      {descriptor.PageActions && (
        <Suspense fallback={<span className={classes.coming} />}>
          <descriptor.PageActions task={task} />
        </Suspense>
      )}
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        loading={stop.isPending}
        {...disabledWithReason(stopRefusal(descriptor, task), stop.mutate)}
      >
        Stop Task
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={run.isPending}
        {...disabledWithReason(runRefusal(descriptor, task), run.mutate)}
      >
        Run
      </Button>
      <MenuButton
        variant="default"
        size={36}
        label={`More actions for ${task.name}`}
        items={<PageMenuItems task={task} onDuplicate={() => setCopied(task)} />}
      >
        <IconDots size={18} />
      </MenuButton>
      <Suspense>
        {copied && (
          <descriptor.DuplicateDialog
            task={copied}
            onAdded={(id) => navigate(`${descriptor.path}/${id}`)}
            onClose={() => setCopied(null)}
          />
        )}
        {editing && <descriptor.EditDialog task={editing} onClose={() => setEditing(null)} />}
      </Suspense>
    </>
  )
}
