import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isGuessable } from './secret-strength.ts'

test.each([
  'k'.repeat(64),
  'changemechangemechangemechangeme',
  '0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'zyxwvutsrqponmlkjihgfedcba987654321',
  '12121212121212121212121212121212121',
  'correct horse battery correct horse battery correct horse battery',
])('%s is guessable', (secret) => {
  expect(isGuessable(secret)).toBe(true)
})

test.each(['hex', 'base64', 'base64url'] as const)('random bytes as %s are not', (encoding) => {
  for (let n = 0; n < 500; n += 1) expect(isGuessable(randomBytes(24).toString(encoding))).toBe(false)
})
