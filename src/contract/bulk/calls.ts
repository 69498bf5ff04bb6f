import * as z from 'zod/mini'
import type { Calls, Right } from '../calls.ts'
import { Id, IdParams, Moment, ScheduledTimes } from '../fields.ts'
import { limits } from '../limits.ts'
import { AttentionKind } from '../pipeline/calls.ts'
import { RunState } from '../runs/status.ts'
import { AccountsEdit } from '../tasks/edits.ts'
import { ownershipEdits, Tag } from '../tasks/ownership.ts'
import { ActionReply, TaskCategory, Trigger } from '../tasks/schemas.ts'
import { bulkMessages } from './client-messages.ts'
import { leavingTasks } from './leaving.ts'

/** Actions on several tasks at once. */
export const BulkAction = z.enum([
  'run',
  'stop',
  'activate',
  'deactivate',
  'acknowledge',
  'snooze',
  'unmark',
  'claim',
  'release',
  'change_type',
  'change_schedule',
  'change_account',
  'change_owner',
  'add_tag',
  'remove_tag',
  'delete',
])
export type BulkAction = z.infer<typeof BulkAction>

/** Minimum right of a token for an action. */
export const rightForAction = (action: BulkAction): Right =>
  action === 'run' || action === 'stop' ? 'run' : 'edit'

/**
 * Result of an action on one task. `skipped`: already in that state, or nothing to do. `refused`: not allowed, for the reason in the
 * message. `unknown`: no sync or source task has this id.
 */
export const BulkStatus = z.enum(['done', 'skipped', 'refused', 'unknown'])
export type BulkStatus = z.infer<typeof BulkStatus>

/** `name`: as screens show it, "Catalogue nightly (Shop)". It and `category` are null if the task is unknown. */
export const BulkResult = z.object({
  category: z.nullable(TaskCategory),
  id: Id,
  name: z.nullable(z.string()),
  status: BulkStatus,
  message: z.string(),
})
export type BulkResult = z.infer<typeof BulkResult>

const taskIds = (max: number) => z.array(Id).check(z.minLength(1), z.maxLength(max))

/**
 * One sync or source task: its id, or an object with its category and the version (`updated_at`) that the caller has seen. The task of
 * a compiler configuration (its `task_id`) needs its category.
 */
const TaskReference = z.union([
  Id,
  z.strictObject({ category: z.optional(TaskCategory), id: Id, updated_at: z.optional(Moment) }),
])

/**
 * The tasks that meet all given conditions when the call is made: those of a category, or those of all categories that need attention
 * for a cause or of a kind. `task_type_id: null`: without a type. `marked`: those marked instead.
 */
export const BulkFilter = z
  .strictObject({
    category: z.optional(z.enum(['sync', 'source'])),
    cause: z.optional(z.string().check(z.minLength(1), z.maxLength(limits.cause_characters))),
    kind: z.optional(AttentionKind),
    marked: z.optional(z.boolean()),
    task_type_id: z.optional(z.nullable(Id)),
    state: z.optional(z.enum([...RunState.options, 'never_run'])),
    is_active: z.optional(z.boolean()),
    /** In the name, or the id of one. */
    search: z.optional(z.string().check(z.maxLength(limits.name_characters))),
  })
  .check(
    z.superRefine(({ category, cause, kind, marked, ...others }, context) => {
      const is_attention = cause !== undefined || kind !== undefined
      if (is_attention === (category !== undefined))
        context.addIssue({ code: 'custom', path: ['category'], message: bulkMessages.category_or_cause })
      else if (is_attention ? Object.keys(others).length > 0 : marked !== undefined)
        context.addIssue({ code: 'custom', path: ['cause'], message: bulkMessages.cause_alone })
    }),
  )
export type BulkFilter = z.infer<typeof BulkFilter>

const targets = {
  ids: z.optional(z.array(TaskReference).check(z.minLength(1), z.maxLength(limits.bulk_tasks_max))),
  filter: z.optional(BulkFilter),
  /** What made the caller ask; recorded with the change. */
  trigger: z.optional(Trigger),
}

type Targets = { ids?: unknown; filter?: unknown }
const namesTasks = z.superRefine<Targets>(({ ids, filter }, context) => {
  if ((ids === undefined) === (filter === undefined))
    context.addIssue({ code: 'custom', path: ['ids'], message: bulkMessages.ids_or_filter })
})

const plain = <A extends BulkAction>(action: A) =>
  z.strictObject({ action: z.literal(action), ...targets }).check(namesTasks)

/** An action with its tasks and parameters. */
export const BulkBody = z.discriminatedUnion('action', [
  plain('run'),
  plain('stop'),
  plain('activate'),
  plain('deactivate'),
  plain('acknowledge'),
  z.strictObject({ action: z.literal('snooze'), ...targets, until: Moment }).check(namesTasks),
  plain('unmark'),
  plain('claim'),
  plain('release'),
  z
    .strictObject({ action: z.literal('change_type'), ...targets, task_type_id: z.nullable(Id) })
    .check(namesTasks),
  z
    .strictObject({ action: z.literal('change_schedule'), ...targets, scheduled_times: ScheduledTimes })
    .check(namesTasks),
  z
    .strictObject({
      action: z.literal('change_account'),
      ...targets,
      /** Runs use the caller’s account; each task carries the `updated_at` that the caller has seen. */
      use_my_account: z.optional(z.literal(true)),
      relevant_user_accounts: z.optional(AccountsEdit),
    })
    .check(
      namesTasks,
      z.superRefine(({ use_my_account, relevant_user_accounts }, context) => {
        if (use_my_account === undefined && relevant_user_accounts === undefined)
          context.addIssue({
            code: 'custom',
            path: ['relevant_user_accounts'],
            message: bulkMessages.account_required,
          })
      }),
    ),
  z
    .strictObject({ action: z.literal('change_owner'), ...targets, owner_id: ownershipEdits.owner_id })
    .check(namesTasks),
  z.strictObject({ action: z.literal('add_tag'), ...targets, tag: Tag }).check(namesTasks),
  z.strictObject({ action: z.literal('remove_tag'), ...targets, tag: Tag }).check(namesTasks),
  z
    .strictObject({
      action: z.literal('delete'),
      ...targets,
      /** Deletes without the ten seconds in which the call can be undone. */
      at_once: z.optional(z.boolean()),
    })
    .check(namesTasks),
])
export type BulkBody = z.output<typeof BulkBody>

const BulkReply = z.extend(ActionReply, {
  action: BulkAction,
  counts: z.object({ done: z.int(), skipped: z.int(), refused: z.int(), unknown: z.int() }),
  /** In the order of the ids, without duplicates. */
  results: z.array(BulkResult),
  /** The id under which this call can be undone until `undo_until`; both are null if it cannot be undone. */
  bulk_id: z.nullable(Id),
  undo_until: z.nullable(Moment),
})
export type BulkReply = z.infer<typeof BulkReply>

/** `open`: it can be undone, or its deletion is due. `undone` and `carried_out` are final; `result` has the result of each task. */
const BulkCall = z.object({
  bulk_id: Id,
  action: BulkAction,
  state: z.enum(['open', 'undone', 'carried_out']),
  undo_until: z.nullable(Moment),
  result: BulkReply,
})
export type BulkCall = z.infer<typeof BulkCall>

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

/**
 * Calls on several tasks at once. Tasks of all categories share one id sequence; compiler configurations have another one besides.
 */
export const tasksBulk = {
  act: {
    method: 'POST',
    path: '/api/tasks/bulk',
    summary:
      'Apply one action to up to 10,000 tasks, given by ids or by a filter. `acknowledge` and `snooze` (until a time) mark the warnings or the failure of the last run, `claim` says that the caller works on it; `unmark` and `release` end these. Tasks of compiler configurations are run, stopped, marked and claimed only. The reply has a result for each task; a refused or unknown task does not affect the others. Every action except `run` and `stop` needs a token with the right to edit, and can be undone for ten seconds; `delete` is carried out after these',
    needs: 'run',
    idempotent: true,
    body: BulkBody,
    reply: BulkReply,
  },
  get: {
    method: 'GET',
    path: '/api/tasks/bulk/:id',
    summary: 'Whether a bulk call was undone or its deletion carried out, and the result for each task',
    params: IdParams,
    reply: BulkCall,
  },
  leaving: leavingTasks,
  undo: {
    method: 'POST',
    path: '/api/tasks/bulk/:id/undo',
    summary:
      'Undo a bulk call within its ten seconds: restores the former value of each task that was not changed since, or cancels the deletion',
    params: IdParams,
    reply: BulkReply,
  },
  quotaTime: {
    method: 'POST',
    path: '/api/tasks/quota_time',
    summary:
      'Google quota that a run of these tasks needs, estimated from their last runs, and the minimum time for it',
    needs: 'read',
    body: z.strictObject({ ids: taskIds(limits.quota_tasks_max) }),
    reply: QuotaTime,
  },
} satisfies Calls
