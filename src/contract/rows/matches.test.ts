import { describe, expect, test } from 'vitest'
import type { CellValue } from '../tables.ts'
import { Condition, Filter, type Operator } from './conditions.ts'
import { filterText } from './describe.ts'
import { matcher } from './matches.ts'

const holds = (operator: Operator, values: string[], cell: CellValue) =>
  matcher({ column: 'A', operator, values })(cell)

test.each<[Operator, string[], holding: CellValue[], others: CellValue[]]>([
  ['is', ['Blue'], ['Blue', 'blue ', 'BLUE'], ['Blues', null, 0]],
  ['is', ['007'], ['007'], ['7']],
  ['is', ['7'], [7, '7'], ['007', 8]],
  ['is', ['TRUE'], [true, 'true'], [false]],
  ['is', ['é'], ['e\u0301'], ['e']],
  ['is_not', ['Blue'], ['red', null, 3], ['blue']],
  ['contains', ['ell'], ['Hello', 'ELL'], ['Helo', null]],
  ['begins_with', ['00'], ['007', '00'], [7, '100', null]],
  ['one_of', ['a', '12'], ['A', 12, '12'], ['ab', 1, null]],
  ['blank', [], [null, '', '  '], [0, false, 'x']],
  ['not_blank', [], [0, false, 'x'], [null, '']],
  ['less', ['10'], [9.5, -3], [10, '9', null, true]],
  ['at_most', ['10'], [10], [10.5]],
  ['at_least', ['10'], [10], [9.5]],
  ['greater', ['1.5'], [2], [1.5, '2', '1.234,50']],
  [
    'on',
    ['2026-11-27'],
    [46_353, 46_353.75, '2026-11-27', '2026-11-27T23:59:59Z'],
    [46_354, '2026-11-28', 'today'],
  ],
  ['before', ['2026-11-27'], [46_352.9, '2026-11-26'], [46_353, null, 'x']],
  ['after', ['2026-11-27'], [46_354, '2026-11-28'], [46_353.9, '2026-11-27T12:00:00Z', null]],
])('%s %j', (operator, values, holding, others) => {
  for (const cell of holding) expect([cell, holds(operator, values, cell)]).toEqual([cell, true])
  for (const cell of others) expect([cell, holds(operator, values, cell)]).toEqual([cell, false])
})

describe('conditions are refused', () => {
  test.each([
    ['less', ['1.234,50'], '‘1.234,50’ is not a number. Write it as 1234.5'],
    ['greater', ['0x10'], '‘0x10’ is not a number. Write it as 1234.5'],
    ['before', ['27.11.2026'], '‘27.11.2026’ is not a date. Write it as 2026-11-27'],
    ['on', ['2026-02-30'], '‘2026-02-30’ is not a date. Write it as 2026-11-27'],
    ['one_of', [], 'Enter at least one value'],
    ['is', ['a', 'b'], 'This condition takes one value'],
    ['blank', ['a'], 'This condition takes no value'],
  ])('%s %j', (operator, values, message) => {
    const parsed = Condition.safeParse({ column: 'A', operator, values })
    expect(parsed.error?.issues[0]?.message).toBe(message)
  })
})

test('a filter reads as a sentence', () => {
  const filter = Filter.parse({
    match: 'any',
    conditions: [
      { column: 'Stock', operator: 'greater', values: ['0'] },
      { column: 'Note', operator: 'blank' },
    ],
  })
  expect(filterText(filter)).toBe('Stock is more than 0 or Note is blank')
})
