import { Button } from '@mantine/core'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import { useSession } from '../../../lib/session.ts'
import { EmptyState } from '../../../ui/states.tsx'
import { useDemoType } from './demo-task.ts'

type Props = {
  onAdd: () => void
  /** There is a type for the demo task. */
  onDemo: (type_id: number) => void
}

/** What a newcomer sees: no tasks, and two ways to the first one. The demo is for the sandbox, which has its sheets. */
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
