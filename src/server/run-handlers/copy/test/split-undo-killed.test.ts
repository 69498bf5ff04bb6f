import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const together = copyWorld({ proxied: true, worker: false })
/** Too small for the changes of two tabs. */
const oneByOne = copyWorld({ proxied: true, worker: false, commit_bytes: 1_200 })
afterEach(() => {
  together.proxy.reset()
  oneByOne.proxy.reset()
})

const header = ['SKU', 'Country', 'Stock']
const rowsOf = (value: string, stock: number) => [1, 2].map((n) => [`${value}-${n}`, value, stock])
const table = (values: readonly string[], stock: number) => [
  header,
  ...values.flatMap((value) => rowsOf(value, stock)),
]

/** Requests after which a run that undoes a change has certainly ended. */
const MAX_REQUESTS = 40

test.each([
  ['each request of an undo of one commit for all tabs', together, 1],
  // It sends three times as many.
  ['every third request of an undo that writes its tabs one after the other', oneByOne, 3],
])('a worker is killed at %s, and another one ends it', { timeout: 600_000 }, async (_, world, step) => {
  let worker = await world.workerProcess()
  const { source, target, task } = await world.pair(table(['DE', 'FR'], 0), [], {
    ...{ split_by: 'Country', on_missing: 'clear' },
  })
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  let isOver = false
  let kills = 0
  for (let nth = 1; !isOver && nth < MAX_REQUESTS; nth += step) {
    await world.clear(source, 'Products')
    await world.write(source, 'Products', table(['DE', 'IT'], nth))
    expect(await world.run(task)).toMatchObject({ state: 'success' })
    expect(await world.values(target, 'FR')).toEqual([header])
    const { plan_id } = await world.undo(task)
    const request = world.proxy.hold({ nth })
    await world.start(task, { plan: plan_id })
    const ended = world.ended(task)
    isOver = await Promise.race([request.arrived.then(() => false), ended.then(() => true)])
    if (!isOver) {
      kills += 1
      await worker.end('SIGKILL')
      // Every other request is applied, and the worker that sent it never learns that.
      if (nth % 2 === 0) await request.deliver()
      world.proxy.reset()
      worker = await world.workerProcess()
    }
    const run = await ended
    expect(run, run.message).toMatchObject({ state: 'success' })
    for (const value of ['DE', 'FR'])
      expect(await world.values(target, value)).toEqual([header, ...rowsOf(value, 0)])
    expect((await world.values(target, 'IT')).flat()).toEqual([])
    expect(await world.tabs(target)).toEqual(['Shop', 'DE', 'FR', 'IT'])
  }
  expect(isOver).toBe(true)
  expect(kills).toBeGreaterThan(3)
  await worker.end()
})
