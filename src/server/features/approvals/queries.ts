import { sql } from 'kysely'
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalKind,
  approvalLimits,
} from '../../../contract/approvals/calls.ts'
import type { PipelineTask } from '../../../contract/pipeline/calls.ts'
import { taskTitle, titleText } from '../../../contract/titles/task-title.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { pendingApprovals } from '../../tasks/approvals/pending-approvals.ts'
import { namedTask, typeAndConfig } from '../../tasks/named-task.ts'

type Row = Omit<Approval, 'at'> & { at: Date; total: number }

/** What needs an approval, newest first, and how many there are. */
export async function listApprovals(db: Db): Promise<{ approvals: Approval[]; total: number }> {
  const { rows } = await sql<Row>`
    with ${pendingApprovals}
    select ${namedTask} as task, q.kind, q.reason, q.version, q.run_id, q.at,
      case when q.kind = 'unowned_cells' then u.email end as only_by, (count(*) over ())::int as total
    from pending q join tasks t on t.id = q.task_id ${typeAndConfig} left join users u on u.id = t.account_user_id
    order by q.at desc, q.task_id limit ${approvalLimits.shown}`.execute(db)
  return {
    approvals: rows.map(({ at, total: _, ...approval }) => ({ ...approval, at: at.toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}

/** The last decisions, newest first. */
export async function listDecisions(db: Db): Promise<ApprovalDecision[]> {
  // Index: approval_decisions_at_idx.
  const { rows } = await sql<Omit<ApprovalDecision, 'at'> & { at: Date }>`
    select d.id, ${namedTask} as task, d.kind, d.reason, d.is_approved, d.decided_by as by, d.at
    from approval_decisions d join tasks t on t.id = d.task_id ${typeAndConfig}
    where d.at > now() - make_interval(days => ${approvalLimits.decision_days})
    order by d.at desc, d.id desc limit ${approvalLimits.decisions}`.execute(db)
  return rows.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() }))
}

/** What a task waits for. `account_user_id`: the owner of the account of its runs; null: none. */
export type Pending = {
  kind: ApprovalKind
  version: string
  content: string
  reason: string
  title: string
  account_user_id: number | null
}

/** All that a task waits for; usually one thing. */
export async function readPending(db: Db | Trx, task_id: number): Promise<Pending[]> {
  const { rows } = await sql<Omit<Pending, 'title'> & { task: PipelineTask }>`
    with ${pendingApprovals}
    select q.kind, q.version, q.content, q.reason, ${namedTask} as task, t.account_user_id
    from pending q join tasks t on t.id = q.task_id ${typeAndConfig} where q.task_id = ${task_id}`.execute(db)
  return rows.map(({ task, ...pending }) => ({ ...pending, title: titleText(taskTitle(task)) }))
}
