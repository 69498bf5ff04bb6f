import type { TeamUser } from '../../../../contract/users/calls.ts'

const grants = ['connected', 'revoked', 'disconnecting', 'none'] as const satisfies TeamUser['grant'][]
const statuses = ['active', 'disabled'] as const

/** Filters of the list of users, in the URL; null: all. */
export type UserFilters = {
  search: string
  grant: TeamUser['grant'] | null
  status: (typeof statuses)[number] | null
}

/** Reads the filters from the URL; invalid values are ignored. */
export const readUserFilters = (params: URLSearchParams): UserFilters => ({
  search: params.get('q') ?? '',
  grant: grants.find((one) => one === params.get('grant')) ?? null,
  status: statuses.find((one) => one === params.get('status')) ?? null,
})

/** The URL parameters of the filters; the inverse of readUserFilters. */
export function writeUserFilters({ search, grant, status }: UserFilters): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  if (grant) params.set('grant', grant)
  if (status) params.set('status', status)
  return params
}

/** Users that match all filters; the search is in name and address. */
export function filterUsers(users: readonly TeamUser[], { search, grant, status }: UserFilters): TeamUser[] {
  const wanted = search.trim().toLowerCase()
  return users.filter(
    ({ name, email, is_disabled, ...user }) =>
      (grant === null || user.grant === grant) &&
      (status === null || is_disabled === (status === 'disabled')) &&
      `${name}\n${email}`.toLowerCase().includes(wanted),
  )
}
