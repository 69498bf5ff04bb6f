import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { useSession } from '../../lib/session.ts'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { accountMessage, type RunAccount } from './accounts.ts'
import classes from './task-account.module.css'

const OwnAccountDialog = lazy(async () => ({
  default: (await import('./own-account-dialog.tsx')).OwnAccountDialog,
}))

/** Shows whose account the runs of a task use, and lets the user assign their own. */
export function TaskAccount({ runAccount }: { runAccount: RunAccount }) {
  const { task } = runAccount
  const me = useSession()?.user ?? null
  const underWay = isUnderWay(useDescriptor(), task)
  // A snapshot: the dialog keeps its explanation if the task changes meanwhile.
  const [asked, setAsked] = useState<RunAccount | null>(null)
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
          onClick={() => setAsked(runAccount)}
        >
          {taskMessages.run_with_own_account}
        </Button>
      )}
      <Suspense>{asked && <OwnAccountDialog runAccount={asked} onClose={() => setAsked(null)} />}</Suspense>
    </div>
  )
}
