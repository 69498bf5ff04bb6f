import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Approval, type ApprovalDecision, approvals } from '../../../../contract/approvals/calls.ts'
import { approvalMessages as messages } from '../../../../contract/approvals/client-messages.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { toastReply } from '../../../tasks/actions/toast-reply.ts'
import { Badge } from '../../../ui/badge.tsx'
import { toast } from '../../../ui/toast.ts'
import { Panel } from '../components/panel.tsx'
import { TaskLink } from '../components/task-link.tsx'
import classes from './approvals.module.css'
import { approvalsQuery } from './approvals-query.ts'

/** What needs an approval, with its actions, and who has decided last. */
export function Approvals() {
  const { data } = useQuery(approvalsQuery)
  if (!data || data.approvals.length + data.decisions.length === 0) return null
  const { total, decisions } = data
  const more = total - data.approvals.length
  return (
    <Panel title={messages.title}>
      {total === 0 && <p className={classes.none}>{messages.none}</p>}
      <ul className={classes.list}>
        {data.approvals.map((approval) => (
          <OneApproval key={`${approval.kind} ${approval.task.id}`} approval={approval} />
        ))}
      </ul>
      {more > 0 && <p className={classes.none}>{messages.more(more)}</p>}
      {decisions.length > 0 && (
        <details className={classes.decisions}>
          <summary>{messages.decisions}</summary>
          <ul>
            {decisions.map((decision) => (
              <OneDecision key={decision.id} decision={decision} />
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function OneApproval({ approval }: { approval: Approval }) {
  const { task, kind, reason, version, run_id, at, only_by } = approval
  const zone = useTimeZone()
  const me = useSession()?.user?.email
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: (action: 'approve' | 'reject') =>
      call(approvals[action], { params: { id: task.id }, body: { version } }),
    onSuccess: toastReply,
    onError: (error) => toast.error(reasonOf(error, messages.failed)),
    // On success and failure: another user may have decided first.
    onSettled: () => client.invalidateQueries(approvalsQuery),
  })
  const isMine = kind === 'unowned_cells' ? only_by !== null && only_by === me : true
  return (
    <li data-roving>
      <Badge tone="purple" label={messages.kinds[kind]} />
      <div className={classes.what}>
        <p className={classes.name}>
          <TaskLink task={task} /> <small>{task.type}</small>
        </p>
        <p>{reason}</p>
        {!isMine && (
          <p className={classes.note}>{only_by === null ? messages.no_account : messages.only_by(only_by)}</p>
        )}
        <div className={classes.buttons}>
          {isMine && (
            <Button
              size="compact-sm"
              aria-label={messages.of(messages.approve[kind], titleText(taskTitle(task)))}
              loading={decide.isPending && decide.variables === 'approve'}
              disabled={decide.isPending}
              onClick={() => decide.mutate('approve')}
            >
              {messages.approve[kind]}
            </Button>
          )}
          {isMine && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={messages.of(messages.reject, titleText(taskTitle(task)))}
              loading={decide.isPending && decide.variables === 'reject'}
              disabled={decide.isPending}
              onClick={() => decide.mutate('reject')}
            >
              {messages.reject}
            </Button>
          )}
          {kind === 'compile_beyond_limit' && task.config_id !== null && (
            <Link to={`/compiler/${task.config_id}/changes?waiting=true`}>{messages.see}</Link>
          )}
          {kind === 'columns_changed' && <Link to={`/source_tasks/${task.id}`}>{messages.see_columns}</Link>}
          {kind === 'run_beyond_limit' && run_id !== null && (
            <Link to={`/sync_tasks/${task.id}/plans/${run_id}`}>{messages.see}</Link>
          )}
        </div>
      </div>
      <time dateTime={at}>{formatMoment(at, zone)}</time>
    </li>
  )
}

function OneDecision({ decision: { task, is_approved, by, at, reason } }: { decision: ApprovalDecision }) {
  const zone = useTimeZone()
  return (
    <li>
      <span className={classes.name}>
        <TaskLink task={task} />
      </span>{' '}
      {messages.decided(is_approved, by, formatMoment(at, zone))}
      <p>{reason}</p>
    </li>
  )
}
