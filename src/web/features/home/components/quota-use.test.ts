import { expect, test } from 'vitest'
import { bindingLimit } from './quota-use.tsx'

const account = (used: number) => ({ email: 'ada@example.com', used, limit: 60 })

test.each([
  ['of the only account', { used: 55, account: account(55) }, [55, 60, 'ada@example.com']],
  [
    'of the project, where many accounts share it',
    { used: 290, account: account(50) },
    [290, 300, 'all accounts together'],
  ],
  ['of the project, where nothing is used', { used: 0, account: null }, [0, 300, 'all accounts together']],
])('the quota bar shows the limit that binds: %s', (_, use, [used, limit, of]) => {
  expect(bindingLimit({ kind: 'read', limit: 300, ...use })).toEqual({ used, limit, of })
})
