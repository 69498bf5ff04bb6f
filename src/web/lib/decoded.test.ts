import { expect, test } from 'vitest'
import { decoded } from './decoded.ts'

test.each([
  ['what-an-alert-means', 'what-an-alert-means'],
  ['%C3%BCber', 'über'],
  ['%', '%'],
  ['100%', '100%'],
  ['%E0%A4%A', '%E0%A4%A'],
  ['', ''],
])('%j stands for %j', (text, meant) => {
  expect(decoded(text)).toBe(meant)
})
