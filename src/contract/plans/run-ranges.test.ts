import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readRanges, writeRanges } from './run-ranges.ts'

test.each([
  [[5], '5'],
  [[7, 5, 6, 9, 9], '5-7,9'],
  [[1, 3, 5], '1,3,5'],
])('%j is written as %s and read again', (ids, text) => {
  expect(writeRanges(ids)).toBe(text)
  expect(readRanges(text)).toEqual([...new Set(ids)].sort((one, other) => one - other))
})

test.each([
  '',
  '0',
  '-1',
  '1-',
  '9-5',
  '1-2-3',
  'a',
  '1,',
  '1 ,2',
  '1e3',
  '9999999999',
  `1-${limits.previews_max + 1}`,
])('%j is refused', (text) => {
  expect(readRanges(text)).toBeNull()
})
