import { hashKey } from '@tanstack/react-query'
import type { ServiceAccount } from '../../../contract/service-account/calls.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { TeamUser } from '../../../contract/users/calls.ts'
import type { Task } from '../task-model.ts'

/** Owner of the Google account that the runs of a task use, besides the accounts listed on the task; null: none. */
export type TaskGrant = { user_id: number; email: string; is_usable: boolean } | null

/** A task whose runs use a Google account, and the action that makes the user's own account that one. */
export type RunAccount = {
  task: Task & { account: TaskGrant; relevant_user_accounts: readonly string[] }
  /** What the runs will read and write with the account. */
  explanation: string
  /** Rejected if the task has changed since the explanation was shown. */
  assign: () => Promise<unknown>
}

/** An account to choose: its address and a label. */
export type AccountOption = { value: string; label: string; disabled: boolean }

/**
 * Accounts that a task may list: the user's own, those of colleagues who share theirs, and the service account if it is allowed.
 * Accounts already listed remain, so that they can be seen and removed; an account that must sign in again cannot be added.
 */
export function accountOptions(
  team: readonly TeamUser[],
  own_id: number | null,
  chosen: readonly string[],
  service: ServiceAccount | null,
): AccountOption[] {
  const people = team
    .filter((user) => !user.is_disabled && (user.shares_grant || user.id === own_id))
    .map(({ email, name, grant, id }) => ({
      value: email.toLowerCase(),
      label: `${name} (${id === own_id ? `${email}, you` : email})${grant === 'connected' ? '' : ', has to sign in again'}`,
      disabled: grant !== 'connected',
    }))
  const { address = null, is_allowed } = service ?? {}
  const allowed = address !== null && is_allowed ? [address] : []
  const offered = [
    ...people,
    ...allowed.map((value) => ({ value, label: `${value} (service account)`, disabled: false })),
  ]
  const known = new Set(offered.map(({ value }) => value))
  const others = chosen.filter((email) => !known.has(email))
  return [
    ...offered,
    ...others.map((email) => ({
      value: email,
      label: `${email}, ${email === address ? 'not allowed' : 'not shared'}`,
      disabled: true,
    })),
  ]
}

/** Describes whose account the runs of a task use. */
export function accountMessage(account: TaskGrant, own_id: number | null): string {
  if (account === null) return taskMessages.runs_use_no_account
  return account.user_id === own_id
    ? taskMessages.runs_use_own_account
    : taskMessages.runs_use_account(account.email)
}

/** The same after a save: the user who changes a relevant field becomes the owner. `former` is null for a new task. */
export function accountAfterSave<Values extends object>(
  former: { account: TaskGrant; values: Values } | null,
  values: Values,
  deciding: readonly (keyof Values)[],
  own_id: number | null,
): string {
  if (former === null) return taskMessages.runs_will_use_own_account
  const { account } = former
  const changed = deciding.some((field) => hashKey([values[field]]) !== hashKey([former.values[field]]))
  if (!changed || account?.user_id === own_id) return accountMessage(account, own_id)
  return account === null
    ? taskMessages.runs_will_use_own_account
    : taskMessages.runs_will_use_own_instead(account.email)
}
