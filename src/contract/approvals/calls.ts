import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Moment } from '../fields.ts'
import { PipelineTask } from '../pipeline/calls.ts'
import { ActionReply } from '../tasks/schemas.ts'

/**
 * What needs an approval. `ingest_below_minimum`: new rows of a source task that a guard held back.
 * `columns_changed`: the same, with columns that are missing, renamed or shifted. `compile_beyond_limit`: records of a compile that changed or removed too many. `run_beyond_limit`: a run of a sync
 * task that would exceed a limit, until its plan expires. `unowned_cells`: a sync task would overwrite cells that it does not own.
 */
export const ApprovalKind = z.enum([
  'ingest_below_minimum',
  'columns_changed',
  'compile_beyond_limit',
  'run_beyond_limit',
  'unowned_cells',
])
export type ApprovalKind = z.infer<typeof ApprovalKind>

/** One thing that needs an approval; a task has at most one. */
export const Approval = z.object({
  task: PipelineTask,
  kind: ApprovalKind,
  reason: z.string(),
  /** Identifies exactly these rows or cells; an approval names it. */
  version: z.string(),
  /** The run that found it; null: it is no longer kept. */
  run_id: z.nullable(Id),
  at: Moment,
  /** The only user who can approve or reject it; null: every user, or no one if these are unowned cells of a task without an account. */
  only_by: z.nullable(z.string()),
})
export type Approval = z.infer<typeof Approval>

/** A decision, and who made it. */
export const ApprovalDecision = z.object({
  id: Id,
  task: PipelineTask,
  kind: ApprovalKind,
  reason: z.string(),
  is_approved: z.boolean(),
  by: z.string(),
  at: Moment,
})
export type ApprovalDecision = z.infer<typeof ApprovalDecision>

export const approvalLimits = { shown: 200, decisions: 10, decision_days: 7 } as const

const decision = {
  params: IdParams,
  body: z.strictObject({ version: z.string().check(z.maxLength(64)) }),
  reply: ActionReply,
}

/** API calls for what needs an approval. */
export const approvals = {
  list: {
    method: 'GET',
    path: '/api/approvals',
    summary: 'What needs an approval, newest first, at most 200; and the last decisions of a week',
    reply: z.object({
      approvals: z.array(Approval),
      total: z.int(),
      decisions: z.array(ApprovalDecision),
    }),
  },
  approve: {
    method: 'POST',
    path: '/api/approvals/:id/approve',
    summary:
      'Approve what a task waits for, exactly the version that was reviewed: accept its rows or records, or run it once. The id is that of the task. A token with the right `run` can approve runs beyond a limit only',
    needs: 'run',
    ...decision,
  },
  reject: {
    method: 'POST',
    path: '/api/approvals/:id/reject',
    summary:
      'Reject what a task waits for: it is not listed again until other rows or cells are found. Cells can be rejected only by who can approve them. The id is that of the task. A token with the right `run` can reject runs beyond a limit only',
    needs: 'run',
    ...decision,
  },
} satisfies Calls
