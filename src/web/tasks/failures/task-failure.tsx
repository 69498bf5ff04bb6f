import { Button } from '@mantine/core'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import type { TaskCategory, TaskState } from '../../../contract/tasks/schemas.ts'
import { useSession } from '../../lib/session.ts'
import { useActOnFailures } from './act-on-failures.ts'
import { ClaimLine } from './claim-line.tsx'
import { FailureActions } from './failure-actions.tsx'
import classes from './failures.module.css'
import { MarkLine } from './mark-line.tsx'

type Props = {
  task: Pick<TaskState, 'id' | 'mark' | 'claim'>
  category: TaskCategory
  /** The last run left warnings only; they are acknowledged one by one. */
  isWarning: boolean
  name: string
  refetch: () => Promise<unknown>
}

/** On the page of a task whose last run did not end well: who works on it, its mark, and the actions. */
export function TaskFailure({ task: { id, mark, claim }, category, isWarning, name, refetch }: Props) {
  const user = useSession()?.user
  const failures = { ids: [{ category, id }] }
  const act = useActOnFailures(failures, refetch)
  return (
    <div className={classes.failure}>
      {claim && <ClaimLine claim={claim} />}
      {mark && <MarkLine mark={mark} />}
      <FailureActions
        failures={failures}
        kind={isWarning ? 'warning' : 'failed'}
        name={name}
        isMine={claim !== null && claim.by.email === user?.email}
        actions={isWarning || mark?.kind === 'acknowledged' ? ['claim'] : ['claim', 'acknowledge']}
        refetch={refetch}
        withText
      />
      {mark && (
        <Button
          variant="default"
          size="compact-sm"
          loading={act.isPending}
          onClick={() => act.mutate({ action: 'unmark' })}
        >
          {messages.list_again}
        </Button>
      )}
    </div>
  )
}
