import { expect, test } from 'vitest'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'

const together = copyWorld({ worker: false })
/** Too small for the changes of two tabs. */
const oneByOne = copyWorld({ worker: false, commit_bytes: 1_200 })

const header = ['SKU', 'Country']
const values = ['DE', 'FR', 'IT', 'ES', 'PT']

test.each([
  ['a run of one commit for all tabs whose workers are killed around it ends with all tabs', together],
  ['a run whose workers are killed between and within tabs goes on with the tab that is not done', oneByOne],
])('%s', { timeout: 400_000 }, async (_, world) => {
  const rows = values.flatMap((value) => [1, 2].map((n) => [`${value}-${n}`, value]))
  const { task, target } = await world.pair([header, ...rows], [], { split_by: 'Country' })
  await world.faults({ kind: 'latency', ms: 50, jitter_ms: 200 })
  await world.start(task)
  for (const tabs of [1, 3]) {
    const worker = await world.workerProcess()
    // The tab Shop was there before.
    await until(async () => (await world.tabs(target)).filter((name) => values.includes(name)).length >= tabs)
    await worker.end('SIGKILL')
  }
  const last = await world.workerProcess()
  const ended = await world.ended(task)
  expect(ended).toMatchObject({ state: 'success', receipt: { rows: 10 } })
  expect(ended.receipt?.tabs).toHaveLength(5)
  expect(ended.log.some((line) => line.includes('another resumed the run'))).toBe(true)
  expect(await world.tabs(target)).toEqual(['Shop', ...values])
  for (const value of values)
    expect(await world.values(target, value)).toEqual([header, [`${value}-1`, value], [`${value}-2`, value]])
  await last.end()
})
