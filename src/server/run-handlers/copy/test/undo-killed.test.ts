import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld({ proxied: true, worker: false, commit_bytes: 2_000 })
afterEach(() => world.proxy.reset())

const table = (mark: string, rows: number) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 4 }, (_, column) => (row === 0 ? `H${column}` : `${mark} ${row}/${column}`)),
  )

/** Requests after which a run that undoes a change has certainly ended. */
const MAX_REQUESTS = 20

test.each([
  ['cells', 4, 'small'],
  ['staged rows', 60, 'staged'],
])(
  'a worker is killed at each request of an undo of %s, and another one ends it',
  async (_what, rows, mode) => {
    let worker = await world.workerProcess()
    const { source, target, task } = await world.pair(table('old', rows))
    expect(await world.run(task)).toMatchObject({ state: 'success' })
    const modes: unknown[] = []
    let isOver = false
    for (let nth = 1; !isOver && nth < MAX_REQUESTS; nth += 1) {
      await world.write(source, 'Products', table(`new ${nth}`, rows))
      expect(await world.run(task)).toMatchObject({ state: 'success' })
      const { plan_id } = await world.undo(task)
      const request = world.proxy.hold({ nth })
      await world.start(task, { plan: plan_id })
      const ended = world.ended(task)
      isOver = await Promise.race([request.arrived.then(() => false), ended.then(() => true)])
      if (!isOver) {
        await worker.end('SIGKILL')
        // Every other request is applied, and the worker that sent it never learns that.
        if (nth % 2 === 0) await request.deliver()
        world.proxy.reset()
        worker = await world.workerProcess()
      }
      const run = await ended
      expect(run, run.message).toMatchObject({ state: 'success' })
      expect(await world.values(target, 'Shop')).toEqual(table('old', rows))
      expect(await world.tabs(target)).toEqual(['Shop'])
      modes.push(run.receipt?.mode)
    }
    expect(isOver).toBe(true)
    expect(modes.length).toBeGreaterThan(3)
    expect(modes).toContain(mode)
    await worker.end()
  },
)
