import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]

test('rows follow the order of the ids; a row added meanwhile comes last', () => {
  expect(inOrder(rows, [3, 1, 2])).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }])
  expect(inOrder([...rows, { id: 4 }], [3, 2, 1])).toEqual([{ id: 3 }, { id: 2 }, { id: 1 }, { id: 4 }])
})
