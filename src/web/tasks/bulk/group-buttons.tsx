import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { formatCount } from '../../lib/format.ts'
import type { Group } from '../list/groups.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useRunGroup, useStopGroup } from './bulk-actions.ts'
import { canRunGroup, canStopGroup } from './bulk-rules.ts'

/** Runs and stops all tasks of a type, those that the filters hide included. */
export function GroupButtons({ group }: { group: Group }) {
  const descriptor = useDescriptor()
  const run = useRunGroup(group.id)
  const stop = useStopGroup(group.id, group.tasks)
  const whole = formatCount(group.tasks.length, 'task')
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        aria-label={`Run Group ${group.name}`}
        title={`Run the ${whole} of this group, as far as they are active`}
        disabled={!canRunGroup(descriptor, group.tasks)}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Run Group
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlayerStop size={15} aria-hidden />}
        aria-label={`Stop Group ${group.name}`}
        title={`Stop what runs or waits of the ${whole} of this group`}
        disabled={!canStopGroup(descriptor, group.tasks)}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      >
        Stop Group
      </Button>
    </>
  )
}
