import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SourceTask, WaitingRows } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { decideOnRows } from './dialog-calls.ts'
import { sourceTaskModel } from './model.ts'
import classes from './waiting-rows.module.css'

type Verdict = Parameters<typeof decideOnRows>[0]

const failures: Record<Verdict, string> = {
  accept: sourceDialogMessages.accept_failed,
  discard: sourceDialogMessages.discard_failed,
}

function useDecision({ id }: SourceTask, { snapshot_id }: WaitingRows, onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (verdict: Verdict) => decideOnRows(verdict, id, snapshot_id),
    onSuccess: toastReply,
    onError: (error, verdict) => toast.error(reasonOf(error, failures[verdict])),
    onSettled: () => {
      onDone?.()
      // on success and failure: another user may have acted first
      return refetchTask(client, sourceTaskModel, id)
    },
  })
}

type Props = { task: SourceTask; waiting: WaitingRows }

/** Which rows wait, and why. */
export function WaitingReasons({ task, waiting }: Props) {
  const zone = useTimeZone()
  const current =
    task.row_count === null ? sourceDialogMessages.no_rows_before : formatCount(task.row_count, 'row')
  return (
    <div>
      <p className={classes.what}>
        {sourceDialogMessages.rows_wait(
          formatCount(waiting.row_count, 'row'),
          formatLongMoment(waiting.fetched_at, zone),
          current,
        )}
      </p>
      <ul className={classes.reasons}>
        {waiting.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  )
}

/** Accepts or discards the rows that wait. */
export function DecisionButtons({ task, waiting, onDone }: Props & { onDone?: () => void }) {
  const decision = useDecision(task, waiting, onDone)
  return (
    <>
      <Button
        variant="default"
        loading={decision.isPending && decision.variables === 'discard'}
        disabled={decision.isPending}
        onClick={() => decision.mutate('discard')}
      >
        {sourceDialogMessages.discard}
      </Button>
      <Button
        loading={decision.isPending && decision.variables === 'accept'}
        disabled={decision.isPending}
        onClick={() => decision.mutate('accept')}
      >
        {sourceDialogMessages.accept}
      </Button>
    </>
  )
}

/** Rows of a task that wait, on its page: a person accepts or discards them. */
export function WaitingNotice({ task }: { task: SourceTask }) {
  const { waiting } = task
  if (waiting === null) return null
  return (
    <WarningNotice title={sourceMessages.waits}>
      <WaitingReasons task={task} waiting={waiting} />
      <div className={classes.buttons}>
        <DecisionButtons task={task} waiting={waiting} />
      </div>
    </WarningNotice>
  )
}
