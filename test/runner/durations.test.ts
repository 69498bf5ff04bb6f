import { expect, test } from 'vitest'
import { durationLines } from './durations.ts'

const seconds = new Map(Array.from({ length: 20 }, (_, n) => [`file-${n}.test.ts`, n] as const))

test('the longest files come first; CI prints every file, other runs the longest fifteen', () => {
  const all = durationLines(seconds, true)
  expect(all.slice(0, 2)).toEqual(['Seconds by file, 190 in 20 files:', '   19.0  file-19.test.ts'])
  expect(all).toHaveLength(21)
  expect(durationLines(seconds, false)).toEqual(all.slice(0, 16))
})
