import { expect, test } from 'vitest'
import { durationLines } from './durations.ts'

test('the fifteen longest files are printed, longest first, under the total of all', () => {
  const seconds = new Map(Array.from({ length: 20 }, (_, n) => [`file-${n}.test.ts`, n] as const))
  const lines = durationLines(seconds)
  expect(lines.slice(0, 2)).toEqual(['Seconds by file, 190 in 20 files:', '   19.0  file-19.test.ts'])
  expect(lines.at(-1)).toBe('    5.0  file-5.test.ts')
})
