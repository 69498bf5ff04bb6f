import { Button } from '@mantine/core'
import { IconDots, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy } from 'react'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { Task } from '../task-model.ts'
import { useRunAll } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'
import { useBulkQuestions } from './bulk-questions.tsx'

const BulkMenuItems = lazy(async () => ({ default: (await import('./bulk-menu-items.tsx')).BulkMenuItems }))

/** What can be done with all tasks at once, whatever the filters show. Waits for the tasks where they decide what is asked. */
export function BulkBar({ tasks }: { tasks: readonly Task[] | undefined }) {
  const run = useRunAll()
  const { stop, toggle, remove, dialogs } = useBulkQuestions(tasks ?? [])
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Run All
      </Button>
      <Button
        variant="default"
        className={classes.wide}
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        disabled={!tasks}
        onClick={stop}
      >
        Stop All
      </Button>
      <MenuButton
        label="Actions for all tasks"
        variant="default"
        size={36}
        disabled={!tasks}
        items={<BulkMenuItems onStop={stop} onToggle={toggle} onDelete={remove} />}
      >
        <IconDots size={18} />
      </MenuButton>
      {dialogs}
    </>
  )
}
