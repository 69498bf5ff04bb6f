import { expect, test } from 'vitest'
import { rebase } from './rebase.ts'

test('loading again preserves the fields that the user changed and replaces all others', () => {
  const start = { name: 'Nightly', start_row: 1, accounts: ['a@example.com'], preset: null }
  const typed = { ...start, name: 'Mine', accounts: ['a@example.com', 'b@example.com'] }
  const fresh = { ...start, name: 'Theirs', start_row: 4, accounts: [] }
  expect(rebase(typed, start, fresh)).toEqual({
    name: 'Mine',
    start_row: 4,
    accounts: ['a@example.com', 'b@example.com'],
    preset: null,
  })
})
