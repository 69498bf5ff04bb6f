import { expect, test } from 'vitest'
import { isTurbo } from './brand.ts'

test.each([
  ['sync.example.com', false],
  ['TURBO-sync.example.com', true],
  ['my.Turbo.example', true],
])('the host %s is the turbo variant: %s', (host, turbo) => {
  expect(isTurbo(host)).toBe(turbo)
})
