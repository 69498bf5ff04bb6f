import type { ServiceAccount } from '../../../contract/service-account/calls.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { TeamUser } from '../../../contract/users/calls.ts'
import type { Task } from '../task-model.ts'

/** Owner of the Google account that the runs of a task use, besides those it names; null: none. */
export type TaskGrant = { user_id: number; email: string; is_usable: boolean } | null

/** A task whose runs use Google accounts, and how a person lends it their own. */
export type Lending = {
  task: Task & { account: TaskGrant; relevant_user_accounts: readonly string[] }
  /** What its runs will read and write with the account. */
  explanation: string
  /** Refused if the task is no longer the one that was explained. */
  lend: () => Promise<unknown>
}

/** One account to choose: its address, and what else tells who it is. */
export type AccountOption = { value: string; label: string; disabled: boolean }

/**
 * Accounts that a task may name: the person's own, those of colleagues who share theirs, and the service account where tasks
 * may use it. Addresses the task names already
 * stay in the list, so that they can be seen and removed; an account that has to sign in again cannot be chosen anew.
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

/** Whose account the runs of a task use, for a person to read. */
export function accountMessage(account: TaskGrant, own_id: number | null): string {
  if (account === null) return taskMessages.runs_use_no_account
  return account.user_id === own_id
    ? taskMessages.runs_use_own_account
    : taskMessages.runs_use_account(account.email)
}

/** The same after a save: the user who changes a deciding field becomes the owner of the account. `former` is null for a new task. */
export function accountAfterSave<Values extends object>(
  former: { account: TaskGrant; values: Values } | null,
  values: Values,
  deciding: readonly (keyof Values)[],
  own_id: number | null,
): string {
  if (former === null) return taskMessages.runs_will_use_own_account
  const { account } = former
  const changed = deciding.some((field) => values[field] !== former.values[field])
  if (!changed || account?.user_id === own_id) return accountMessage(account, own_id)
  return account === null
    ? taskMessages.runs_will_use_own_account
    : taskMessages.runs_will_use_own_instead(account.email)
}
