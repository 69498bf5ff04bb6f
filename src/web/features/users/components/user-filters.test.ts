import { expect, test } from 'vitest'
import type { TeamUser } from '../../../../contract/users/calls.ts'
import { filterUsers, readUserFilters, writeUserFilters } from './user-filters.ts'

const user = (id: number, fields: Partial<TeamUser>): TeamUser => ({
  ...{ id, email: `user${id}@example.com`, name: `User ${id}`, picture: null },
  ...{ last_sign_in_at: '2026-11-20T09:00:00.000Z', grant: 'connected', shares_grant: false },
  ...{ is_disabled: false, tasks_count: 0 },
  ...fields,
})
const users = [
  user(1, { name: 'Ada Fields' }),
  user(2, { email: 'ben@ada.example', grant: 'revoked' }),
  user(3, { is_disabled: true, grant: 'none' }),
]

test.each([
  ['', [1, 2, 3]],
  ['q=ADA', [1, 2]],
  ['grant=revoked', [2]],
  ['status=disabled', [3]],
  ['status=active&q=fields', [1]],
  ['grant=unknown&status=', [1, 2, 3]],
])('the address %s shows the users %j', (address, ids) => {
  const filters = readUserFilters(new URLSearchParams(address))
  expect(filterUsers(users, filters).map(({ id }) => id)).toEqual(ids)
  expect(readUserFilters(writeUserFilters(filters))).toEqual(filters)
})
