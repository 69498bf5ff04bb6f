import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { limits } from '../../../contract/limits.ts'
import { formatCount } from '../../lib/format.ts'
import { heldBack } from '../../ui/held-back.ts'
import type { Group } from '../list/groups.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useRunGroup, useStopGroup } from './bulk-actions.ts'
import { canRunGroup, canStopGroup, isStartable } from './bulk-rules.ts'
import { useActOnTasks } from './use-act-on-tasks.ts'

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }))

type Props = {
  /** The tasks of a type that are shown. */
  group: Group
  /** All of the type. */
  whole: Group
}

/** Runs and stops the tasks of a type: all of them, or those alone that the filters show where they hide some. */
export function GroupButtons({ group, whole }: Props) {
  const descriptor = useDescriptor()
  const run = useRunGroup(group.id)
  const stop = useStopGroup(group.id, whole.tasks)
  const act = useActOnTasks()
  const [asking, setAsking] = useState<Group | null>(null)
  const { name, tasks } = group
  const isPart = tasks.length < whole.tasks.length
  const count = formatCount(tasks.length, 'task')
  const start = (of: Group) => (isPart ? act.mutate({ action: 'run', tasks: of.tasks }) : run.mutate())
  const ask = () =>
    tasks.filter((task) => isStartable(descriptor, task)).length > limits.run_unasked_max
      ? setAsking(group)
      : start(group)
  const names = isPart
    ? { run: bulkMessages.button('run', tasks.length), stop: bulkMessages.button('stop', tasks.length) }
    : { run: 'Run Group', stop: 'Stop Group' }
  const isActing = (action: 'run' | 'stop') => act.isPending && act.variables.action === action
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        aria-label={isPart ? bulkMessages.of_group(names.run, name) : `Run Group ${name}`}
        title={`Run the ${count} ${isPart ? 'of this group that the filters show' : 'of this group'}, as far as they are active`}
        loading={run.isPending || isActing('run')}
        {...heldBack(canRunGroup(descriptor, tasks) ? null : bulkMessages.group_cannot_run, ask)}
      >
        {names.run}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        aria-label={isPart ? bulkMessages.of_group(names.stop, name) : `Stop Group ${name}`}
        title={`Stop what runs or waits of the ${count} ${isPart ? 'of this group that the filters show' : 'of this group'}`}
        loading={stop.isPending || isActing('stop')}
        {...heldBack(canStopGroup(descriptor, tasks) ? null : bulkMessages.group_cannot_stop, () =>
          isPart ? act.mutate({ action: 'stop', tasks }) : stop.mutate(),
        )}
      >
        {names.stop}
      </Button>
      <Suspense>
        {asking && (
          <RunDialog
            title={bulkMessages.confirm_run_all(asking.tasks.length)}
            confirm={names.run}
            tasks={asking.tasks}
            onConfirm={() => start(asking)}
            onClose={() => setAsking(null)}
          />
        )}
      </Suspense>
    </>
  )
}
