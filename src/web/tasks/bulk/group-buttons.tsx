import { Button } from '@mantine/core'
import { IconEye, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { limits } from '../../../contract/limits.ts'
import { planMessages } from '../../../contract/plans/client-messages.ts'
import { previewMessages } from '../../../contract/previews/client-messages.ts'
import { formatCount } from '../../lib/format.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { usePreviewMany } from '../actions/preview-many.ts'
import type { Group } from '../list/groups.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useRunGroup, useStopGroup } from './bulk-actions.ts'
import { canRunGroup, canStopGroup, isStartable } from './bulk-rules.ts'
import { useActOnTasks } from './use-act-on-tasks.ts'

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }))

type Props = {
  /** The tasks of the group that the filters show. */
  group: Group
  /** All tasks of the group. */
  whole: Group
}

/** Runs and stops a type, or only some of its tasks while filters hide others; or the tasks of a group that is no type. */
export function GroupButtons({ group, whole }: Props) {
  const descriptor = useDescriptor()
  const run = useRunGroup(group.type?.id ?? null)
  const stop = useStopGroup(group.type?.id ?? null, whole.tasks)
  const act = useActOnTasks()
  const preview = usePreviewMany()
  const [asking, setAsking] = useState<Group | null>(null)
  const { name, tasks } = group
  const isPart = group.type === null || tasks.length < whole.tasks.length
  const scope = tasks.length < whole.tasks.length ? ' that match the filters' : ''
  const count = formatCount(tasks.length, 'task')
  const start = (of: Group) =>
    isPart ? act.mutate({ change: { action: 'run' }, tasks: of.tasks }) : run.mutate()
  const ask = () =>
    tasks.filter((task) => isStartable(descriptor, task)).length > limits.run_without_confirmation_max
      ? setAsking(group)
      : start(group)
  const names = isPart
    ? { run: bulkMessages.button('run', tasks.length), stop: bulkMessages.button('stop', tasks.length) }
    : { run: 'Run Group', stop: 'Stop Group' }
  const isActing = (action: 'run' | 'stop') => act.isPending && act.variables.change.action === action
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        aria-label={isPart ? bulkMessages.of_group(names.run, name) : `Run Group ${name}`}
        title={`Run the active ones of ${count} in this group${scope}`}
        loading={run.isPending || isActing('run')}
        {...disabledWithReason(canRunGroup(descriptor, tasks) ? null : bulkMessages.group_cannot_run, ask)}
      >
        {names.run}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        aria-label={isPart ? bulkMessages.of_group(names.stop, name) : `Stop Group ${name}`}
        title={`Stop the running and queued ones of ${count} in this group${scope}`}
        loading={stop.isPending || isActing('stop')}
        {...disabledWithReason(canStopGroup(descriptor, tasks) ? null : bulkMessages.group_cannot_stop, () =>
          isPart ? act.mutate({ change: { action: 'stop' }, tasks }) : stop.mutate(),
        )}
      >
        {names.stop}
      </Button>
      {descriptor.has_previews && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconEye size={15} aria-hidden />}
          aria-label={previewMessages.of_group(
            isPart ? previewMessages.preview_these(tasks.length) : planMessages.preview,
            name,
          )}
          title={planMessages.preview_hint}
          loading={preview.isPending}
          {...disabledWithReason(
            tasks.length > limits.previews_max ? planMessages.too_many(limits.previews_max) : null,
            () =>
              preview.mutate(
                isPart ? { ids: tasks.map(({ id }) => id) } : { sync_task_type_id: group.type?.id ?? 0 },
              ),
          )}
        >
          {planMessages.preview}
        </Button>
      )}
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
