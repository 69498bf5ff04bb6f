import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { approvals } from '../../../../contract/approvals/calls.ts'
import { approvalMessages } from '../../../../contract/approvals/client-messages.ts'
import { compilerMessages as messages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { configsQuery, recordsChanged } from '../api.ts'
import { changesPath } from '../changes/change-filters.ts'
import classes from './waiting-records.module.css'

type Props = {
  config: CompilerConfig
  /** Whether it leads to the changes. */
  isLinked?: boolean
}

/** The compile that needs approval, with the reason and both decisions; nothing if there is none. */
export function WaitingRecords({ config: { id, task_id, waiting }, isLinked = false }: Props) {
  const zone = useTimeZone()
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (action: 'approve' | 'reject') =>
      call(approvals[action], {
        params: { id: task_id },
        body: { version: String(waiting?.snapshot_id) },
      }),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.decision_failed)),
    // On success and failure: another user may have decided first.
    onSettled: () => Promise.all([client.invalidateQueries(configsQuery), recordsChanged(client, id)]),
  })
  if (waiting === null) return null
  return (
    <WarningNotice title={messages.compile_waits}>
      <p className={classes.text}>
        {messages.records_wait(waiting.row_count, formatLongMoment(waiting.compiled_at, zone))}{' '}
        {waiting.reason}
      </p>
      <div className={classes.buttons}>
        <Button
          loading={decide.isPending && decide.variables === 'approve'}
          disabled={decide.isPending}
          onClick={() => decide.mutate('approve')}
        >
          {messages.accept_records}
        </Button>
        <Button
          variant="default"
          loading={decide.isPending && decide.variables === 'reject'}
          disabled={decide.isPending}
          onClick={() => decide.mutate('reject')}
        >
          {messages.discard_records}
        </Button>
        {isLinked && <Link to={changesPath(id, { waiting: 'true' })}>{approvalMessages.see}</Link>}
      </div>
    </WarningNotice>
  )
}
