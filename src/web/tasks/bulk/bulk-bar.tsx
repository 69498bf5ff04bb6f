import { Button } from '@mantine/core'
import { IconDots, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { messages } from '../../../contract/messages.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { toast } from '../../ui/toast.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useRunAll } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'
import { deleteAllRefusal, stopAllRefusal } from './bulk-rules.ts'

const BulkMenuItems = lazy(async () => ({ default: (await import('./bulk-menu-items.tsx')).BulkMenuItems }))

const StopAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).StopAllDialog }))

const ToggleAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).ToggleAllDialog }))

const DeleteAllDialog = lazy(async () => ({ default: (await import('./bulk-dialogs.tsx')).DeleteAllDialog }))

type Question = 'stop' | 'toggle' | 'delete'

/** What can be done with all tasks at once, whatever the filters show. Waits for the tasks where they decide what is asked. */
export function BulkBar({ tasks: loaded }: { tasks: readonly Task[] | undefined }) {
  const tasks = loaded ?? []
  const descriptor = useDescriptor()
  const run = useRunAll()
  const [asking, setAsking] = useState<Question | null>(null)
  const close = () => setAsking(null)
  const ask = (what: Question, refusal: string | null) =>
    refusal === null ? setAsking(what) : toast.warning(refusal)
  const stop = () => ask('stop', stopAllRefusal(descriptor, tasks))
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
        disabled={!loaded}
        onClick={stop}
      >
        Stop All
      </Button>
      <MenuButton
        label="Actions for all tasks"
        variant="default"
        size={36}
        disabled={!loaded}
        items={
          <BulkMenuItems
            onStop={stop}
            onToggle={() => ask('toggle', tasks.length === 0 ? messages.no_tasks_available : null)}
            onDelete={() => ask('delete', deleteAllRefusal(descriptor, tasks))}
          />
        }
      >
        <IconDots size={18} />
      </MenuButton>
      <Suspense>
        {asking === 'stop' && <StopAllDialog tasks={tasks} onClose={close} />}
        {asking === 'toggle' && <ToggleAllDialog tasks={tasks} onClose={close} />}
        {asking === 'delete' && <DeleteAllDialog tasks={tasks} onClose={close} />}
      </Suspense>
    </>
  )
}
