import * as z from 'zod/mini'
import { Email, Ignored } from '../fields.ts'
import { limits } from '../limits.ts'
import type { TaskState } from './schemas.ts'

/** Accounts that a task's runs may use, without duplicates. Empty: the grant of the user who last changed a deciding field. */
export const AccountsEdit = z.pipe(
  z.array(Email).check(z.maxLength(limits.accounts_max)),
  z.transform((emails) => [...new Set(emails)]),
)

/** Read-only fields of tasks of all categories: accepted and ignored. */
export const readOnlyOfTasks = {
  id: Ignored,
  running_status: Ignored,
  retry_count: Ignored,
  last_error_count: Ignored,
  total_elapsed_seconds: Ignored,
  prerequisites_count: Ignored,
  account: Ignored,
  warnings: Ignored,
  last_successful_run: Ignored,
  last_triggered: Ignored,
  latest_log: Ignored,
  logs: Ignored,
  receipt: Ignored,
  progress: Ignored,
  started_at: Ignored,
  waits_for: Ignored,
  place: Ignored,
  run_warnings: Ignored,
  is_mailed: Ignored,
  mark: Ignored,
  claim: Ignored,
  position_actions: Ignored,
  created_at: Ignored,
  owner: Ignored,
  has_notes: Ignored,
} satisfies Record<Exclude<keyof TaskState, 'state'>, typeof Ignored> & Record<string, typeof Ignored>
