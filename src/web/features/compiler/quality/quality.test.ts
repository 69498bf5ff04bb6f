import { expect, test } from 'vitest'
import { shareText } from './quality-picture.tsx'
import { moveText } from './since-last.tsx'

test.each([
  [12, 340, '12 of 340 (3%)'],
  [0, 0, '0 of 0 (0%)'],
  [3, 1206, '3 of 1,206 (<1%)'],
  [1999, 2000, '1,999 of 2,000 (99%)'],
  [null, 340, '–'],
])('%s of %d records: %s', (count, total, text) => expect(shareText(count, total)).toBe(text))

test.each([
  [100, 125, '+25%'],
  [100, 1, '-99%'],
  [-10, -15, '-50%'],
  [0, 5, '–'],
])('a number that moved from %d to %d: %s', (from, to, text) =>
  expect(moveText({ from, to, number_format: null })).toBe(text),
)

test.each([
  [45_904, 45_910, '+6 days'],
  [45_904, 45_903, '-1 day'],
])('a date that moved from %d to %d: %s', (from, to, text) =>
  expect(moveText({ from, to, number_format: { type: 'DATE' } })).toBe(text),
)
