import { Button } from '@mantine/core'
import {
  IconDots,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefreshAlert,
  IconToggleLeft,
} from '@tabler/icons-react'
import { lazy } from 'react'
import { useResetStatuses, useRunAll } from '../../../tasks/bulk/bulk-actions.ts'
import { useBulkQuestions } from '../../../tasks/bulk/bulk-questions.tsx'
import type { Task } from '../../../tasks/task-model.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import classes from './head.module.css'

const FootMenuItems = lazy(async () => ({ default: (await import('./foot-menu-items.tsx')).FootMenuItems }))

/** What can be done with all tasks at once, whatever the filters show. */
export function ListFoot({ tasks }: { tasks: readonly Task[] }) {
  const run = useRunAll()
  const reset = useResetStatuses()
  const { stop, toggle, remove, dialogs } = useBulkQuestions(tasks)
  return (
    <section className={classes.foot} aria-label="All tasks">
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Run All Tasks
      </Button>
      <Button variant="default" leftSection={<IconPlayerStop size={17} aria-hidden />} onClick={stop}>
        Stop All
      </Button>
      <Button variant="default" leftSection={<IconToggleLeft size={17} aria-hidden />} onClick={toggle}>
        Toggle All Active/Inactive
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefreshAlert size={17} aria-hidden />}
        loading={reset.isPending}
        onClick={() => reset.mutate()}
      >
        Reset All Running Status
      </Button>
      <MenuButton
        label="More actions for all tasks"
        variant="default"
        size={36}
        items={<FootMenuItems onDelete={remove} />}
      >
        <IconDots size={18} />
      </MenuButton>
      {dialogs}
    </section>
  )
}
