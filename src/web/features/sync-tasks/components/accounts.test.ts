import { expect, test } from 'vitest'
import type { TeamUser } from '../../../../contract/users.ts'
import { accountOptions } from './accounts.ts'

const person = (id: number, name: string, fields: Partial<TeamUser> = {}): TeamUser => ({
  id,
  name,
  email: `${name}@example.com`,
  picture: null,
  last_sign_in_at: '2026-11-20T09:00:00.000Z',
  grant: 'connected',
  shares_grant: false,
  is_disabled: false,
  tasks_count: 0,
  ...fields,
})

test('relevant accounts are chosen from users who share, and the own one', () => {
  const team = [
    person(1, 'Ada'),
    person(2, 'Ben', { shares_grant: true }),
    person(3, 'Cleo'),
    person(4, 'Dan', { shares_grant: true, is_disabled: true }),
    person(5, 'Eve', { shares_grant: true, grant: 'revoked' }),
  ]
  expect(accountOptions(team, 1, [])).toEqual([
    { value: 'ada@example.com', label: 'Ada (Ada@example.com, you)', disabled: false },
    { value: 'ben@example.com', label: 'Ben (Ben@example.com)', disabled: false },
    { value: 'eve@example.com', label: 'Eve (Eve@example.com), has to sign in again', disabled: true },
  ])
})

test('an account that the task names already stays to be seen and removed', () => {
  expect(accountOptions([], 1, ['gone@example.com'])).toEqual([
    { value: 'gone@example.com', label: 'gone@example.com, not shared', disabled: true },
  ])
})
