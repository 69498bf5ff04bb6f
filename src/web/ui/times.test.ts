import { expect, test } from 'vitest'
import { addTimes } from './times.ts'

test.each([
  ['4:00', ['04:00']],
  ['04:00, 23:00', ['04:00', '23:00']],
  ['23:59 0:00', ['00:00', '23:59']],
  ['', []],
  [' , ', []],
])('times are read from a comma-separated text, padded and in order: %j', (text, times) => {
  expect(addTimes([], text)).toEqual({ times, rest: '', problem: null })
})

test.each(['24:00', '12:60', '4', '4:0', '04:00:00', 'noon', '04:00x', 'None'])(
  'times must match 24-hour HH:MM: %s is not taken and stays to be corrected',
  (text) => {
    expect(addTimes(['05:00'], text)).toEqual({
      times: ['05:00'],
      rest: text,
      problem: { kind: 'invalid', message: 'Please enter a valid time in HH:MM format (24-hour)' },
    })
  },
)

test('valid times are added, invalid ones remain in the input', () => {
  expect(addTimes([], '4:00, noon, 23:00')).toMatchObject({ times: ['04:00', '23:00'], rest: 'noon' })
})

test.each(['04:00', '4:00', '05:00, 5:00'])('a duplicate time gives a warning: %s', (text) => {
  expect(addTimes(['04:00'], text)).toMatchObject({
    rest: '',
    problem: { kind: 'duplicate', message: 'This time is already scheduled' },
  })
})
