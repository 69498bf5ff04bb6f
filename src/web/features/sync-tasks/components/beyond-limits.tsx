import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { approvalMessages } from '../../../../contract/approvals/client-messages.ts'
import { limitMessages as messages } from '../../../../contract/run-limits/client-messages.ts'
import type { BeyondLimits, SyncTaskDetail } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { runOnce } from '../api.ts'
import classes from './beyond-limits.module.css'
import { syncTaskModel } from './model.ts'
import { useReject } from './use-reject.ts'

const TaskDialog = lazy(async () => ({ default: (await import('../editor/task-dialog.tsx')).TaskDialog }))

const without = (name: string) => (params: URLSearchParams) => {
  params.delete(name)
  return params
}

/** The limits that the last run would have exceeded, with actions that run it once, reject it or change a limit. */
export function BeyondLimitsNotice({ task }: { task: SyncTaskDetail }) {
  const [editing, setEditing] = useState<SyncTaskDetail | null>(null)
  const [params, setParams] = useSearchParams()
  const isSwitching = params.get('write_mode') === 'update'
  const close = () => {
    setEditing(null)
    setParams(without('write_mode'), { replace: true })
  }
  const { beyond_limits: beyond } = task
  const isOnlyBeside = beyond?.cells_beside === true && beyond.limits.length === 1
  return (
    <>
      {beyond && (
        <WarningNotice title={isOnlyBeside ? messages.beside : messages.beyond}>
          <ul className={classes.limits}>
            {beyond.limits.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {beyond.rejected_by !== null && <p>{approvalMessages.rejected(beyond.rejected_by)}</p>}
          <div className={classes.buttons}>
            {beyond.rejected_by === null && <DecisionButtons id={task.id} plan={beyond.plan} />}
            {beyond.cells_beside && (
              <Button
                component={Link}
                to="?write_mode=update"
                replace
                size="compact-sm"
                variant="default"
                aria-description={messages.switch_hint}
              >
                {messages.switch_to_update}
              </Button>
            )}
            {!isOnlyBeside && (
              <Button size="compact-sm" variant="default" onClick={() => setEditing(task)}>
                {messages.change}
              </Button>
            )}
            <Link to={`/sync_tasks/${task.id}/plans/${beyond.run_id}`}>{messages.see_plan}</Link>
          </div>
        </WarningNotice>
      )}
      <Suspense>
        {(editing || isSwitching) && (
          <TaskDialog
            task={editing ?? task}
            chunkSize={task.chunk_size}
            {...(isSwitching ? { writeMode: 'update' } : { isAboutLimits: true })}
            onClose={close}
            onSaved={close}
          />
        )}
      </Suspense>
    </>
  )
}

function DecisionButtons({ id, plan }: { id: number; plan: BeyondLimits['plan'] }) {
  const client = useQueryClient()
  const rejecting = useReject(id)
  const running = useMutation({
    mutationFn: () => runOnce(id, plan),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, syncTaskMessages.execute_failed)),
    // On success and failure: another user may have decided first.
    onSettled: () => refetchTask(client, syncTaskModel, id),
  })
  const disabled = running.isPending || rejecting.isPending
  return (
    <>
      <Button
        size="compact-sm"
        aria-description={messages.run_once_hint}
        loading={running.isPending}
        disabled={disabled}
        onClick={() => running.mutate()}
      >
        {messages.run_once}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-description={approvalMessages.reject_hint}
        loading={rejecting.isPending}
        disabled={disabled}
        onClick={() => rejecting.mutate(plan)}
      >
        {approvalMessages.reject}
      </Button>
    </>
  )
}
