import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]

test('rows stand in the order of the ids; one that was added meanwhile stays behind them', () => {
  expect(inOrder(rows, [3, 1, 2])).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }])
  expect(inOrder([...rows, { id: 4 }], [3, 2, 1])).toEqual([{ id: 3 }, { id: 2 }, { id: 1 }, { id: 4 }])
})
