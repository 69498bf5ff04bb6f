import { expect, test } from 'vitest'
import { copyWorld } from '../../../../test/copy-world.ts'

// Fewer reads than a copy makes fit the window, and waiting for the next one takes longer than two seconds.
const world = copyWorld({ quota: { account: 3, project: 100, window_ms: 3_000 } })

test('a run that waits for Google’s quota says so, once, and ends in Success', async () => {
  const { target: target_ss_id, task } = await world.pair([['SKU'], ['007']])
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('quota'))).toEqual([
    expect.stringContaining('Google’s quota of requests a minute is used up.'),
  ])
  expect(await world.values(target_ss_id, 'Shop')).toEqual([['SKU'], ['007']])
})
