import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'

/** A change of one setting, in words: values of lists are joined, ids are names as far as they exist. */
export const ChangedField = z.object({
  field: z.string(),
  /** The label of the field on the screen. */
  label: z.string(),
  before: z.string(),
  after: z.string(),
})
export type ChangedField = z.infer<typeof ChangedField>

/** A change of the settings of a task or type: who, when, and what it replaced. */
export const SettingChange = z.object({
  id: Id,
  at: Moment,
  /** Null: Rowferry itself, for example a run that followed a renamed sheet. */
  actor: z.nullable(z.string()),
  /** The API token that was used. */
  token: z.nullable(z.string()),
  /** Number of tasks that one call changed; null for a change of this one. */
  bulk: z.nullable(z.int()),
  /** File of an import. */
  imported_from: z.nullable(z.string()),
  /** Withdrew a bulk call. */
  is_undo: z.boolean(),
  /** When the change was made that this one reverted. */
  reverts: z.nullable(Moment),
  fields: z.array(ChangedField),
  /** Why it cannot be reverted; null if it can. */
  not_revertible: z.nullable(z.string()),
})
export type SettingChange = z.infer<typeof SettingChange>

const page = {
  params: IdParams,
  query: z.strictObject({
    /** `next` of the previous page. */
    cursor: z.optional(digits('cursor', 1, 999_999_999)),
    limit: z._default(digits('limit', 1, 100), 20),
  }),
  reply: z.object({ changes: z.array(SettingChange), next: z.nullable(z.int()) }),
}

/** Body of a revert. */
export const RevertBody = z.strictObject({
  change_id: Id,
  /** Version of the task or type that was read; without it, the current one is changed. */
  updated_at: z.optional(Moment),
  /** Also if a later change set one of the same settings. */
  overwrite: z._default(z.boolean(), false),
})

/** API calls for the history of settings. Tasks of each category, and types, are reverted by calls of their own, `POST …/:id/revert`. */
export const settingChanges = {
  ofTask: {
    method: 'GET',
    path: '/api/tasks/:id/changes',
    summary:
      'Changes of the settings of a task of any category, newest first; of a configuration by its `task_id`',
    ...page,
  },
  ofType: {
    method: 'GET',
    path: '/api/task_types/:id/changes',
    summary: 'Changes of the settings of a task type of any category, newest first',
    ...page,
  },
} satisfies Calls
