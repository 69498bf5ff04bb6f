import * as z from 'zod/mini'
import type { Calls, Right } from '../calls.ts'
import { Id } from '../fields.ts'
import { limits } from '../limits.ts'
import { ActionReply, Trigger } from '../tasks/schemas.ts'

/** Actions on several tasks at once. */
export const BulkAction = z.enum(['run', 'stop', 'activate', 'deactivate', 'delete'])
export type BulkAction = z.infer<typeof BulkAction>

/** The least right of a token for an action. */
export const rightForAction = (action: BulkAction): Right =>
  action === 'run' || action === 'stop' ? 'run' : 'edit'

/**
 * Result of an action on one task. `skipped`: already in that state, or nothing to do. `refused`: not allowed, for the reason in the
 * message. `unknown`: no sync or source task has this id.
 */
export const BulkStatus = z.enum(['done', 'skipped', 'refused', 'unknown'])
export type BulkStatus = z.infer<typeof BulkStatus>

/** `name` is null where the task is unknown. */
export const BulkResult = z.object({
  id: Id,
  name: z.nullable(z.string()),
  status: BulkStatus,
  message: z.string(),
})
export type BulkResult = z.infer<typeof BulkResult>

const taskIds = (max: number) => z.array(Id).check(z.minLength(1), z.maxLength(max))

const BulkReply = z.extend(ActionReply, {
  action: BulkAction,
  counts: z.object({ done: z.int(), skipped: z.int(), refused: z.int(), unknown: z.int() }),
  /** In the order of the ids; an id that is repeated counts once. */
  results: z.array(BulkResult),
})
export type BulkReply = z.infer<typeof BulkReply>

/** Google quota that a run of several tasks needs, estimated from the receipts of their last successful runs. */
export const QuotaTime = z.object({
  /** Tasks that a run starts: active and not live. */
  startable: z.int(),
  reads: z.int(),
  writes: z.int(),
  /** Minimum time in which the quota allows these requests; 0 without requests. */
  seconds: z.int(),
  /** Tasks without a receipt; the average of the others is used for them. */
  guessed: z.int(),
})
export type QuotaTime = z.infer<typeof QuotaTime>

/** Calls on several sync and source tasks at once. Both share one id sequence; compiler configurations have a separate one. */
export const tasksBulk = {
  act: {
    method: 'POST',
    path: '/api/tasks/bulk',
    summary:
      'Do the same to up to 10,000 sync and source tasks: run, stop, activate, deactivate or delete. Says of each what came of it; one that is refused or unknown keeps no other from it. `activate`, `deactivate` and `delete` need a token with the right to edit',
    needs: 'run',
    body: z.strictObject({
      action: BulkAction,
      ids: taskIds(limits.bulk_tasks_max),
      trigger: z.optional(Trigger),
    }),
    reply: BulkReply,
  },
  quotaTime: {
    method: 'POST',
    path: '/api/tasks/quota_time',
    summary:
      'How much of Google’s quota a run of these tasks takes, by their last runs, and the least time that allows',
    needs: 'read',
    body: z.strictObject({ ids: taskIds(limits.quota_tasks_max) }),
    reply: QuotaTime,
  },
} satisfies Calls
