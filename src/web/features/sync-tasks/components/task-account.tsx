import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { messages } from '../../../../contract/messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { useSession } from '../../../lib/session.ts'
import { isUnderWay } from '../../../tasks/state/status.ts'
import { accountSentence } from './accounts.ts'
import { syncTaskModel } from './model.ts'
import classes from './task-account.module.css'

const OwnAccountDialog = lazy(async () => ({
  default: (await import('./own-account-dialog.tsx')).OwnAccountDialog,
}))

/** Whose account the runs of a task use, and the way to make it one's own. */
export function TaskAccount({ task }: { task: SyncTask }) {
  const me = useSession()?.user ?? null
  const underWay = isUnderWay(syncTaskModel, task)
  const [asking, setAsking] = useState(false)
  const { account, relevant_user_accounts: named } = task
  return (
    <div className={classes.account}>
      <span>
        {accountSentence(account, me?.id ?? null)} {named.length > 0 && messages.runs_may_use(named)}{' '}
        {account && !account.is_usable && (
          <span className={classes.problem}>{messages.account_unusable}</span>
        )}
      </span>
      {me && account?.user_id !== me.id && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={underWay}
          title={underWay ? messages.live_edit : undefined}
          onClick={() => setAsking(true)}
        >
          {messages.run_with_own_account}
        </Button>
      )}
      <Suspense>{asking && <OwnAccountDialog task={task} onClose={() => setAsking(false)} />}</Suspense>
    </div>
  )
}
