import { expect, test } from 'vitest'
import { antiForgeryToken } from './anti-forgery-token.ts'

test('the anti-forgery token is read only from its own cookie', () => {
  expect(antiForgeryToken('theme=dark; XSRF-TOKEN=a%3Db; OTHER-XSRF-TOKEN=no')).toBe('a=b')
  expect(antiForgeryToken('OTHER-XSRF-TOKEN=no')).toBe('')
  expect(antiForgeryToken('')).toBe('')
})
