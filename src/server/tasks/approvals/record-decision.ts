import type { ApprovalKind } from '../../../contract/approvals/calls.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Trx } from '../../platform/db.ts'

/** Stores who approved or rejected something; a rejected `content` is not listed again. */
export async function recordDecision(
  trx: Trx,
  actor: Actor,
  decision: { task_id: number; kind: ApprovalKind; content: string; is_approved: boolean; reason: string },
): Promise<void> {
  await trx
    .insertInto('approval_decisions')
    .values({ ...decision, user_id: actor.id, decided_by: actor.email })
    .execute()
}
