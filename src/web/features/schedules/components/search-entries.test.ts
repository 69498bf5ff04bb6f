import { expect, test } from 'vitest'
import { searchEntries } from './search-entries.ts'

const entry = (comment: string, schedule: string) => ({
  comment,
  command: 'Run sync task 1',
  schedule,
  is_paused: false,
})
const prices = entry('Prices (Nightly)', '04:00 EST')
const stock = entry('Stock (Hourly)', '23:00 EST')

test.each([
  ['', [prices, stock]],
  ['stock', [stock]],
  ['  NIGHTLY  prices ', [prices]],
  ['23:00', [stock]],
  ['run sync', [prices, stock]],
  ['prices 23:00', []],
])('an entry matches if it contains every word of the search: %j', (search, found) => {
  expect(searchEntries([prices, stock], search)).toEqual(found)
})
