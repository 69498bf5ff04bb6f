import { Button } from '@mantine/core'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import { useSession } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/states.tsx'
import { useDemoType } from './demo-task.ts'

type Props = {
  onAdd: () => void
  /** Called with the id of the demo task's type. */
  onDemo: (type_id: number) => void
}

/** Empty state of the list, with two ways to the first task. The demo task needs the sheets of the sandbox. */
export function FirstTask({ onAdd, onDemo }: Props) {
  const sandbox = useSession()?.sandbox
  const type = useDemoType()
  return (
    <EmptyState title={syncTaskMessages.no_sync_tasks} hint={syncTaskMessages.no_sync_tasks_hint}>
      {sandbox && (
        <Button loading={type.isPending} onClick={() => type.mutate(undefined, { onSuccess: onDemo })}>
          {syncTaskMessages.try_demo}
        </Button>
      )}
      <Button variant={sandbox ? 'default' : 'filled'} onClick={onAdd}>
        Add task
      </Button>
    </EmptyState>
  )
}
