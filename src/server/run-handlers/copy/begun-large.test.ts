import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beforeImage } from '../../../../test/fixtures/before-image.ts'
import { copyWorld, until } from '../../../../test/fixtures/copy-world.ts'
import {
  again,
  expectCopied,
  isOpened,
  limits,
  READS,
  recorded,
  seeding,
  stagedRequests,
  table,
} from '../../../../test/fixtures/large-change.ts'

const world = copyWorld({ proxied: true, ...limits })
const killed = copyWorld({ proxied: true, worker: false, ...limits })
type World = typeof world
beforeEach(() => world.faults())
afterEach(() => {
  for (const { proxy } of [world, killed]) proxy.reset()
})

const old = table('old')
const changed = table('changed')
// The first fifth of the rows is another one, which would be a large change if it went on so.
const beginning = old.map((row, index) => (index < 450 ? (changed[index] ?? []) : row))

describe('a change that begins like a large one has a hidden tab early, and', () => {
  /** Held up before its last rows are read, when the hidden tab is there. */
  async function opened(of: World, { target, task }: { target: string; task: number }) {
    const read = of.proxy.hold({ path: new RegExp(`${target}/values/`), method: 'GET', nth: READS - 1 })
    await of.start(task)
    await read.arrived
    await until(() => isOpened(of, target))
    return read
  }

  /** A pair that has been copied, and whose source begins otherwise since. */
  async function copied(of: World, copy: (task: number) => Promise<unknown> = (task) => of.run(task)) {
    const { source, target, task } = await of.pair(old)
    await copy(task)
    await of.write(source, 'Products!A1', beginning)
    return { target, task }
  }

  test('costs two writes if it is small', async () => {
    const { target, task } = await copied(world)
    const staged = await stagedRequests(world, target)
    const read = await opened(world, { target, task })
    await read.deliver()
    const run = await world.ended(task)
    expect(run).toMatchObject({
      state: 'success',
      receipt: { mode: 'small', cells_changed: 898 },
      requests: { write: 2 },
    })
    expect(again(run.log)).toEqual([])
    expect(await stagedRequests(world, target)).toBe(staged)
    await expectCopied(world, target, beginning)
    expect(await beforeImage(world.db, task)).toEqual(old)
  })

  test('leaves none if it is stopped', async () => {
    const { target, task } = await copied(world)
    await opened(world, { target, task })
    await world.stop(task)
    expect((await world.ended(task)).state).toBe('stopped')
    await expectCopied(world, target, old)
  })

  test('is not applied twice by a worker that another one has taken over from', async () => {
    const first = await killed.workerProcess()
    const { target, task } = await copied(killed, async (id) => {
      await killed.start(id)
      await killed.ended(id)
    })
    const late = killed.proxy.hold({ ...seeding(target), body: /"deleteSheet"/ })
    await killed.start(task)
    await late.arrived
    late.breakOff()
    await first.end('SIGKILL')
    const second = await killed.workerProcess()
    const run = await killed.ended(task)
    await killed.write(target, 'Shop!A3', [['written afterwards']])
    expect((await late.deliver()).status).toBe(400)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'small' } })
    const [header = [], one = [], , ...others] = beginning
    const third = ['written afterwards', ...(beginning[2] ?? []).slice(1)]
    await expectCopied(killed, target, [header, one, third, ...others])
    await second.end()
  })

  test('sees the columns that somebody moves before it is applied', async () => {
    const { target, task } = await copied(world)
    await world.batch(target, { appendDimension: { sheetId: 100, dimension: 'COLUMNS', length: 5 } })
    await world.write(target, 'Shop!G1', [['Mine'], ['and only mine']])
    const read = await opened(world, { target, task })
    const source = { sheetId: 100, dimension: 'COLUMNS', startIndex: 6, endIndex: 7 }
    await world.batch(target, { moveDimension: { source, destinationIndex: 1 } })
    await read.deliver()
    const run = await world.ended(task)
    expect([run.state, run.message]).toEqual([
      'failed',
      expect.stringMatching(/columns were inserted, moved or deleted: .*Nothing was written/),
    ])
    const [header = [], first = [], ...rest] = old
    const mine = (row: string[], cell: string) => row.toSpliced(1, 0, cell)
    expect(await world.values(target, 'Shop')).toEqual([
      mine(header, 'Mine'),
      mine(first, 'and only mine'),
      ...rest.map((row) => mine(row, '')),
    ])
    expect(await world.tabs(target)).toEqual(['Shop'])
    expect(await recorded(world, target)).toEqual([])
  })
})
