import type { TeamUser } from '../../../../contract/users.ts'

/** One account to choose: its address, and what else tells who it is. */
export type AccountOption = { value: string; label: string; disabled: boolean }

/**
 * Accounts that a task may name: the person's own and those of colleagues who share theirs. Addresses the task names already
 * stay in the list, so that they can be seen and removed; an account that has to sign in again cannot be chosen anew.
 */
export function accountOptions(
  team: readonly TeamUser[],
  own_id: number | null,
  chosen: readonly string[],
): AccountOption[] {
  const offered = team
    .filter((user) => !user.is_disabled && (user.shares_grant || user.id === own_id))
    .map(({ email, name, grant, id }) => ({
      value: email.toLowerCase(),
      label: `${name} (${id === own_id ? `${email}, you` : email})${grant === 'connected' ? '' : ', has to sign in again'}`,
      disabled: grant !== 'connected',
    }))
  const known = new Set(offered.map(({ value }) => value))
  const others = chosen.filter((email) => !known.has(email))
  return [
    ...offered,
    ...others.map((email) => ({ value: email, label: `${email}, not shared`, disabled: true })),
  ]
}
