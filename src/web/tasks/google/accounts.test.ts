import { expect, test } from 'vitest'
import { decidingFields } from '../../../contract/sync-tasks/edits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import type { TeamUser } from '../../../contract/users/calls.ts'
import { newValues } from '../../features/sync-tasks/editor/task-form.ts'
import { accountAfterSave, accountMessage, accountOptions } from './accounts.ts'

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

test('the choices are the own account and those of colleagues who share theirs', () => {
  const team = [
    person(1, 'Ada'),
    person(2, 'Ben', { shares_grant: true }),
    person(3, 'Cleo'),
    person(4, 'Dan', { shares_grant: true, is_disabled: true }),
    person(5, 'Eve', { shares_grant: true, grant: 'revoked' }),
  ]
  expect(accountOptions(team, 1, [], null)).toEqual([
    { value: 'ada@example.com', label: 'Ada (Ada@example.com, you)', disabled: false },
    { value: 'ben@example.com', label: 'Ben (Ben@example.com)', disabled: false },
    { value: 'eve@example.com', label: 'Eve (Eve@example.com), has to sign in again', disabled: true },
  ])
})

test('an account that the task already lists remains visible and removable', () => {
  expect(accountOptions([], 1, ['gone@example.com'], null)).toEqual([
    { value: 'gone@example.com', label: 'gone@example.com, not shared', disabled: true },
  ])
})

const [ADA, BEN] = [1, 2]
const ada = { user_id: ADA, email: 'ada@example.com', is_usable: true }

test('a task shows whose account its runs use', () => {
  expect(accountMessage(ada, ADA)).toBe('Runs use your Google account.')
  expect(accountMessage(ada, BEN)).toBe('Runs use the Google account of ada@example.com.')
  expect(accountMessage(null, BEN)).toBe('No Google account runs this task.')
})

test('the form shows before saving whose account runs will use', () => {
  const values = newValues(1000)
  expect(accountAfterSave(null, values, decidingFields, BEN)).toBe('Runs will use your Google account.')
  const former = { account: ada, values }
  expect(accountAfterSave(former, { ...values, name: 'Other' }, decidingFields, BEN)).toBe(
    taskMessages.runs_use_account(ada.email),
  )
  for (const field of decidingFields) {
    const changed = { ...values, [field]: 'another' }
    expect(accountAfterSave(former, changed, decidingFields, BEN)).toBe(
      taskMessages.runs_will_use_own_instead(ada.email),
    )
    expect(accountAfterSave(former, changed, decidingFields, ADA)).toBe(taskMessages.runs_use_own_account)
    expect(accountAfterSave({ account: null, values }, changed, decidingFields, BEN)).toBe(
      taskMessages.runs_will_use_own_account,
    )
  }
})

test('the service account is a choice once tasks may use it; a listed one remains until it is removed', () => {
  const address = 'copier@rowferry.iam.gserviceaccount.com'
  const service = { address, is_allowed: true, tasks_count: 0 }
  expect(accountOptions([], 1, [], service)).toEqual([
    { value: address, label: `${address} (service account)`, disabled: false },
  ])
  const forbidden = { ...service, is_allowed: false }
  expect(accountOptions([], 1, [], forbidden)).toEqual([])
  expect(accountOptions([], 1, [address], forbidden)).toEqual([
    { value: address, label: `${address}, not allowed`, disabled: true },
  ])
})
