import { expect, test } from 'vitest'
import { describeCron } from './describe-cron.ts'

test.each([
  ['*/15 * * * *', 'Every 15 minutes'],
  ['0 2 * * *', 'At 02:00'],
  ['0 0 * * 0', 'At 00:00, only on Sunday'],
  ['*/10 8-18 * * MON-FRI', 'Every 10 minutes, between 08:00 and 18:59, Monday through Friday'],
  ['0 0 L * *', 'At 00:00, on the last day of the month'],
  // cronstrue's descriptions of these do not match the scheduler.
  ['*/7 * * * *', 'At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour'],
  ['0 0 1 * 1', 'At 00:00, on day 1 of the month, or on Monday'],
  ['*/15 2,4 * * *', 'At minutes 0, 15, 30 and 45 of hours 2 and 4'],
  ['* */6 * * *', 'Every minute of hours 0, 6, 12 and 18'],
  ['0 */10 * * *', 'At 00:00, 10:00 and 20:00'],
  ['0 0 * */3 *', 'At 00:00, in January, April, July and October'],
  ['0 0 */10 * *', 'At 00:00, on days 1, 11, 21 and 31 of the month'],
  ['0 0 * * */3', 'At 00:00, on Sunday, Wednesday and Saturday'],
  ['0 0 1,L * *', 'At 00:00, on day 1 of the month and the last day of the month'],
  ['0 0 L 1-3,6 0,7', 'At 00:00, on the last day of the month, or on Sunday, in January to March and June'],
  ['0 0 1-31 * 1', 'At 00:00'],
  ['0 9 * * TUE#2', 'At 09:00, on the second Tuesday of the month'],
  ['0\t2\u00a0* * *', 'At 02:00'],
])('%s in words', (cron, words) => {
  expect(describeCron(cron)).toBe(words)
})
