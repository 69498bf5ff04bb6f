import type { TeamUser } from '../../../contract/users/calls.ts'

type User = Pick<TeamUser, 'id' | 'name' | 'email' | 'is_disabled'>

/** Users who can own a task, as options: enabled ones and the current owner. Users of the same name are told apart by address. */
export function ownerOptions(users: readonly User[], current: string | null) {
  const named = users.map(({ name, email, ...user }) => ({ ...user, email, name: name || email }))
  const count = (wanted: string) => named.filter(({ name }) => name === wanted).length
  return named
    .filter(({ id, is_disabled }) => !is_disabled || String(id) === current)
    .map(({ id, name, email }) => ({
      value: String(id),
      label: count(name) > 1 ? `${name} (${email})` : name,
    }))
}
