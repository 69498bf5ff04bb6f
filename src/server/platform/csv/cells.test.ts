import { expect, test } from 'vitest'
import { cellReaders } from './cells.ts'

test.each([
  ['TRUE', true],
  ['WAHR', true],
  ['Faux', false],
  ['ONWAAR', false],
  ['yes', 'yes'],
])('%j in a column of flags is %j, as a spreadsheet may have rewritten it', (cell, flag) => {
  expect(cellReaders.flag(cell)).toBe(flag)
})

test.each([
  ['5', 5],
  ['5.00', 5],
  ['5,0', 5],
  ['1,000', '1,000'],
  ['5,5', '5,5'],
])('%j in a column of numbers is %j', (cell, number) => {
  expect(cellReaders.number(cell)).toBe(number)
})

test.each([
  ['04:00', ['04:00']],
  ['04:00, 23:00', ['04:00', '23:00']],
  ['4:00', ['04:00']],
  ['04:00:00', ['04:00']],
  ['04:00:00 AM', ['04:00']],
  ['12:30 am', ['00:30']],
  ['12:30:00 PM', ['12:30']],
  ['11:59:00 PM', ['23:59']],
  ['None', ['None']],
  ['', []],
  // For the contract to reject.
  ['04:00:30, 24:00, noon', ['04:00:30', '24:00', 'noon']],
])('%j in a column of times is %j, as a spreadsheet may have rewritten it', (cell, times) => {
  expect(cellReaders.times(cell)).toEqual(times)
})
