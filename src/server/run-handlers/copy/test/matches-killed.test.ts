import { afterEach, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld({ proxied: true, worker: false, commit_bytes: 2_000 })
afterEach(() => world.proxy.reset())

const sku = (row: number) => `S${String(row).padStart(3, '0')}`
const table = (mark: string, rows: number): Cell[][] => [
  ['SKU', 'Name'],
  ...Array.from({ length: rows }, (_, row) => [sku(row), `${mark} name of ${sku(row)}`]),
]

/** Requests after which a run has certainly ended. */
const MAX_REQUESTS = 20

const modes = {
  update: { write_mode: 'update', key_columns: JSON.stringify(['SKU']) },
  'append without a key': { write_mode: 'append' },
} as const

test.each([
  ['update', 3, 'small'],
  ['update', 60, 'staged'],
  ['append without a key', 3, 'small'],
  ['append without a key', 60, 'staged'],
] as const)(
  'a worker is killed at each request of %s with %i rows, and another one ends the run: each row is written once',
  async (mode, rows, written) => {
    let worker = await world.workerProcess()
    const { source, target, task } = await world.pair(table('old', rows), [], modes[mode])
    expect(await world.run(task)).toMatchObject({ state: 'success' })
    await world.write(target, 'Shop!D1', [['Note'], ['of the first row']])
    let expected = (await world.values(target, 'Shop')).map((row) => row.slice(0, 2))
    const receipts: unknown[] = []
    let isOver = false
    for (let nth = 1; !isOver && nth < MAX_REQUESTS; nth += 1) {
      const changed = table(`new ${nth}`, rows)
      await world.write(source, 'Products', changed)
      expected = mode === 'update' ? changed : [...expected, ...changed.slice(1)]
      const request = world.proxy.hold({ nth })
      await world.start(task)
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
      const held = await world.values(target, 'Shop')
      expect(held.map((row) => row.slice(0, 2))).toEqual(expected)
      expect(held[1]?.[3]).toBe('of the first row')
      expect(await world.tabs(target)).toEqual(['Shop'])
      receipts.push(run.receipt?.mode)
    }
    expect(isOver).toBe(true)
    expect(receipts.length).toBeGreaterThan(3)
    expect(receipts).toContain(written)
    await worker.end()
  },
)
