import { expect, test } from 'vitest'
import { splitServerMessages as messages } from '../../src/contract/sync-tasks/server-messages.ts'
import { copyWorld } from '../fixtures/copy-world.ts'

const world = copyWorld()

test('200 values are written to 200 tabs', async () => {
  const header = ['SKU', 'Shop', 'Stock']
  const rows = Array.from({ length: 200 }, (_, n) => [String(n), `Shop ${n}`, n])
  const { task, target } = await world.pair([header, ...rows], [], { split_by: 'Shop' })
  const ended = await world.run(task)
  expect(ended.message).toBe(messages.done(200, 200))
  expect(await world.tabs(target)).toHaveLength(201)
  expect(await world.values(target, 'Shop 199')).toEqual([header, rows[199]])
})
