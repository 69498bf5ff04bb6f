import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ColumnName } from '../../../../contract/remembered-columns/calls.ts'
import type { SourceTask, WaitingRows } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { refetchTask } from '../../../tasks/cache/task-queries.ts'
import { LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { columnsQuery } from './columns-query.ts'
import { acceptRows, discardRows } from './dialog-calls.ts'
import { sourceTaskModel } from './model.ts'
import classes from './waiting-rows.module.css'

const ColumnChanges = lazy(async () => ({
  default: (await import('./column-changes.tsx')).ColumnChanges,
}))

type Verdict = 'accept' | 'discard'

const failures: Record<Verdict, string> = {
  accept: sourceDialogMessages.accept_failed,
  discard: sourceDialogMessages.discard_failed,
}

type Props = { task: SourceTask; waiting: WaitingRows; names: readonly ColumnName[] }

function useDecision({ task: { id }, waiting, names }: Props, onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (verdict: Verdict) =>
      verdict === 'accept' ? acceptRows(id, waiting, names) : discardRows(id, waiting),
    onSuccess: toastReply,
    onError: (error, verdict) => toast.error(reasonOf(error, failures[verdict])),
    onSettled: () => {
      onDone?.()
      // On success and failure: another user may have decided first.
      return Promise.all([
        refetchTask(client, sourceTaskModel, id),
        client.invalidateQueries(columnsQuery(id)),
      ])
    },
  })
}

/** Columns of waiting rows that are read as missing ones if the rows are accepted: those that were found to be renamed. */
export const renamedColumns = ({ column_changes }: WaitingRows): ColumnName[] =>
  column_changes.flatMap(({ kind, before, now }) =>
    kind === 'renamed' && before && now ? [{ column: now.name, read_as: before.name }] : [],
  )

/** The rows that need approval, the reasons, and the columns that differ. */
export function WaitingReasons({
  task,
  waiting,
  names,
  onNames,
}: Props & { onNames: (names: ColumnName[]) => void }) {
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
      {waiting.column_changes.length > 0 && (
        <Suspense fallback={<LoadingRows rows={3} label="Loading the columns" />}>
          <ColumnChanges changes={waiting.column_changes} names={names} onNames={onNames} />
        </Suspense>
      )}
    </div>
  )
}

/** Buttons that accept or discard the rows. */
export function DecisionButtons({ onDone, ...props }: Props & { onDone?: () => void }) {
  const decision = useDecision(props, onDone)
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

/** Notice on the task page about rows that need approval. */
export const WaitingNotice = ({ task }: { task: SourceTask }) =>
  task.waiting && <OneNotice key={task.waiting.snapshot_id} task={task} waiting={task.waiting} />

function OneNotice({ task, waiting }: Pick<Props, 'task' | 'waiting'>) {
  const [names, setNames] = useState(renamedColumns(waiting))
  return (
    <WarningNotice title={sourceMessages.waits}>
      <WaitingReasons task={task} waiting={waiting} names={names} onNames={setNames} />
      <div className={classes.buttons}>
        <DecisionButtons task={task} waiting={waiting} names={names} />
      </div>
    </WarningNotice>
  )
}
