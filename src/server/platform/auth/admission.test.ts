import { expect, test } from 'vitest'
import { isAdmin, mayEnter } from './admission.ts'

const cases: [
  who: string,
  email: string,
  hd: string | null,
  lists: [mode: 'google' | 'sandbox', emails: string[], domains: string[]],
  may: boolean,
][] = [
  ['a listed address', 'ada@example.com', null, ['google', ['ada@example.com'], []], true],
  ['a listed address in capitals', 'Ada@Example.com', null, ['google', ['ada@example.com'], []], true],
  ['another address', 'eve@example.com', null, ['google', ['ada@example.com'], []], false],
  [
    'an account of a listed domain',
    'cleo@northwind.example',
    'northwind.example',
    ['google', [], ['northwind.example']],
    true,
  ],
  [
    'an address that only ends like the domain',
    'eve@northwind.example',
    null,
    ['google', [], ['northwind.example']],
    false,
  ],
  [
    'an account of a subdomain',
    'eve@x.northwind.example',
    'x.northwind.example',
    ['google', [], ['northwind.example']],
    false,
  ],
  ['any address where nothing is listed', 'eve@example.com', null, ['google', [], []], false],
  ['any account of the sandbox', 'eve@example.com', null, ['sandbox', [], []], true],
  [
    'a stranger where the sandbox has a list',
    'eve@example.com',
    null,
    ['sandbox', ['ada@example.com'], []],
    false,
  ],
]
test.each(cases)('%s', (_who, email, hosted_domain, [mode, allowedEmails, allowedDomains], may) => {
  expect(mayEnter({ email, hosted_domain }, { mode, allowedEmails, allowedDomains })).toBe(may)
})

test('administrators are the listed users, or every user if the list is empty', () => {
  expect(isAdmin('Ada@example.com', { adminEmails: ['ada@example.com'] })).toBe(true)
  expect(isAdmin('ben@example.com', { adminEmails: ['ada@example.com'] })).toBe(false)
  expect(isAdmin('ben@example.com', { adminEmails: 'everyone' })).toBe(true)
})
