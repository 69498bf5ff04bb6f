import { expect, test } from 'vitest'
import { Redactor } from './redactor.ts'

const SECRET = 'kéy/with+"signs" & 8?'

test.each([
  ['as it is', SECRET],
  ['in an address', encodeURIComponent(SECRET)],
  ['in an address, lower case', encodeURIComponent(SECRET).toLowerCase()],
  ['in a query', new URLSearchParams({ key: SECRET }).toString().slice(4)],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
])('a secret is masked %s', (_form, text) => {
  expect(new Redactor([SECRET]).text(`before ${text} after`)).toMatch(/^before \[secret\].{0,4} after$/)
})

test.each(['', 'a', 'ab', 'abc'])('a secret is masked in base64 after %j', (before) => {
  const encoded = Buffer.from(`${before}:a-long-secret:behind`).toString('base64')
  const masked = new Redactor(['a-long-secret']).text(encoded)
  expect(masked).toContain('[secret]')
  expect(Buffer.from(masked.replace('[secret]', ''), 'base64').toString()).not.toMatch('long')
})

test('the credentials within a header are secret, too', () => {
  const redactor = new Redactor(['Bearer abcdefgh', `Basic ${btoa('ada:love lace')}`])
  expect(redactor.text('abcdefgh and love%20lace')).toBe('[secret] and [secret]')
})

test('a truncated text does not end in part of a secret', () => {
  const redactor = new Redactor(['0123456789'])
  expect(redactor.beginning('abc0123456789def', 6)).toBe('abc[se')
})

test('data that contains a short secret is not changed', () => {
  const redactor = new Redactor(['42', 'a-long-secret'])
  expect(redactor.data('42 of a-long-secret')).toBe('42 of [secret]')
  expect(redactor.text('42 of a-long-secret')).toBe('[secret] of [secret]')
  expect([redactor.isIn('42'), redactor.isIn('xa-long-secret')]).toEqual([false, true])
})
