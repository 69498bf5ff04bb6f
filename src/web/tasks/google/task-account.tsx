import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { useSession } from '../../lib/session.ts'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { accountMessage, type Lending } from './accounts.ts'
import classes from './task-account.module.css'

const OwnAccountDialog = lazy(async () => ({
  default: (await import('./own-account-dialog.tsx')).OwnAccountDialog,
}))

/** Whose account the runs of a task use, and the way to make it one's own. */
export function TaskAccount({ lending }: { lending: Lending }) {
  const { task } = lending
  const me = useSession()?.user ?? null
  const underWay = isUnderWay(useDescriptor(), task)
  // as it was explained, whatever becomes of the task meanwhile
  const [asked, setAsked] = useState<Lending | null>(null)
  const { account, relevant_user_accounts: named } = task
  return (
    <div className={classes.account}>
      <span>
        {accountMessage(account, me?.id ?? null)} {named.length > 0 && taskMessages.runs_may_use(named)}{' '}
        {account && !account.is_usable && (
          <span className={classes.problem}>{taskMessages.account_unusable}</span>
        )}
      </span>
      {me && account?.user_id !== me.id && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={underWay}
          title={underWay ? taskMessages.live_edit : undefined}
          onClick={() => setAsked(lending)}
        >
          {taskMessages.run_with_own_account}
        </Button>
      )}
      <Suspense>{asked && <OwnAccountDialog lending={asked} onClose={() => setAsked(null)} />}</Suspense>
    </div>
  )
}
