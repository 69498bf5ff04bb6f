import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { beforeImage } from '../../../../../test/fixtures/before-image.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { onFirstRequest, TargetPrefetch } from '../read/target-prefetch.ts'

const world = copyWorld({ proxied: true })
afterEach(() => world.proxy.reset())

/** Id that `world.spreadsheet` assigns to the first tab. */
const FIRST_TAB = 100

const table = (mark: string, columns = 3) =>
  Array.from({ length: 30 }, (_, row) =>
    Array.from({ length: columns }, (_, column) => `${mark} ${row}/${column}`),
  )

async function copied() {
  const { source, target, task } = await world.pair(table('old'))
  // The grid is too large to be read in the request that finds the tab.
  const more = { appendDimension: { sheetId: FIRST_TAB, dimension: 'ROWS', length: 50_000 } }
  for (const spreadsheet of [source, target]) await world.batch(spreadsheet, more)
  await world.run(task)
  await world.write(source, 'Products!A1', table('new'))
  return { source, target, task }
}

const valuesOf = (spreadsheetId: string) => ({ path: new RegExp(`${spreadsheetId}/values/`), method: 'GET' })

test('source and target are read at the same time', async () => {
  const { source, target, task } = await copied()
  const ofSource = world.proxy.hold(valuesOf(source))
  const ofTarget = world.proxy.hold(valuesOf(target))
  await world.start(task)
  await Promise.all([ofSource.arrived, ofTarget.arrived])
  await Promise.all([ofSource.deliver(), ofTarget.deliver()])
  expect(await world.ended(task)).toMatchObject({ state: 'success', requests: { write: 2 } })
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
})

test('the target is requested as soon as the source was requested, and not before', async () => {
  const asked: string[] = []
  const rows = async function* () {
    asked.push('source')
    yield 1
    yield 2
  }
  const taken: number[] = []
  for await (const item of onFirstRequest(rows(), () => asked.push('target'))) {
    taken.push(item)
    asked.push(`${item}`)
  }
  expect(asked).toEqual(['source', 'target', '1', '2'])
  expect(taken).toEqual([1, 2])
})

test('a prefetch parses only a few batches before they are consumed', async () => {
  const pieces = 1_000
  let made = 0
  const batches = async function* () {
    for (; made < pieces; made += 1) yield [Buffer.from(`[${made}]`)]
  }
  const prefetch = new TargetPrefetch({ read: () => ({ batches: batches(), requests: 1 }) }, 1)
  prefetch.begin()
  for (let turn = 0; turn < pieces; turn += 1) await setImmediate()
  expect(made).toBeLessThan(10)
  const rows: string[] = []
  for await (const batch of prefetch.take(1) ?? []) rows.push(...batch.map(String))
  expect(rows).toEqual(Array.from({ length: pieces }, (_, index) => `[${index}]`))
})

test('an end or a failure is passed on to the wrapped reading', async () => {
  let ended = 0
  const rows = async function* () {
    try {
      yield 1
      throw new Error('broken')
    } finally {
      ended += 1
    }
  }
  for await (const _first of onFirstRequest(rows(), () => {})) break
  expect(ended).toBe(1)
  const readAll = async () => {
    for await (const _row of onFirstRequest(rows(), () => {}));
  }
  await expect(readAll()).rejects.toThrow('broken')
  expect(ended).toBe(2)
})

test('small tables are read in the requests that open them, both at the same time; a broken request is repeated', async () => {
  const { source, target, task } = await world.pair(table('old'))
  await world.run(task)
  await world.write(source, 'Products!A1', table('new'))
  const grid = (id: string) => ({ path: new RegExp(`${id}\\?.*ranges=`), method: 'GET' })
  const ofSource = world.proxy.hold(grid(source))
  const ofTarget = world.proxy.hold(grid(target))
  await world.start(task)
  await Promise.all([ofSource.arrived, ofTarget.arrived])
  ofTarget.breakOff()
  await ofSource.deliver()
  // Tabs, values, and the cells beside rows that leave their place. The request that creates the staging tab also returns the header row before the commit.
  expect(await world.ended(task)).toMatchObject({ state: 'success', requests: { read: 4, write: 2 } })
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
})

test('a reading of the target that breaks while the source is read is repeated', async () => {
  const { source, target, task } = await copied()
  const ofSource = world.proxy.hold(valuesOf(source))
  const ofTarget = world.proxy.hold(valuesOf(target))
  await world.start(task)
  await Promise.all([ofSource.arrived, ofTarget.arrived])
  ofTarget.breakOff()
  await ofSource.deliver()
  expect(await world.ended(task)).toMatchObject({ state: 'success' })
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
})

test('columns that the source has gained are read in the target as well', async () => {
  const { source, target, task } = await copied()
  const wide = table('wide', 5)
  await world.write(source, 'Products!A1', wide)
  await world.write(target, 'Shop!D7', [['not ours']])
  expect((await world.run(task)).message).toContain('has 1 cell in column D')
  await world.write(target, 'Shop!D7', [['']])
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(wide)
})

test('a target tab that is deleted while both are read is created again', async () => {
  const { source, target, task } = await copied()
  await world.batch(target, { addSheet: { properties: { title: 'Another' } } })
  const ofSource = world.proxy.hold(valuesOf(source))
  const ofTarget = world.proxy.hold(valuesOf(target))
  await world.start(task)
  await Promise.all([ofSource.arrived, ofTarget.arrived])
  await world.batch(target, { deleteSheet: { sheetId: FIRST_TAB } })
  expect((await ofTarget.deliver()).status).toBe(400)
  await ofSource.deliver()
  expect((await world.ended(task)).state).toMatch(/success|warning/)
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
})

test('a target tab that is deleted when its rows were stored leaves no former rows to what is written in another one', async () => {
  const { target, task } = await copied()
  await world.batch(target, { addSheet: { properties: { title: 'Another' } } })
  const commit = world.proxy.hold({ path: /:batchUpdate/, body: /"deleteSheet"|"updateCells"|"pasteData"/ })
  await world.start(task)
  await commit.arrived
  await world.batch(target, { deleteSheet: { sheetId: FIRST_TAB } })
  await commit.deliver()
  const run = await world.ended(task)
  expect(run.state, run.message).toMatch(/success|warning/)
  expect(await world.values(target, 'Shop')).toEqual(table('new'))
  // A blank header row and nothing below.
  expect(await beforeImage(world.db, task)).toEqual([[]])
})

test('a source that cannot be read fails the run, regardless of the state of the target’s prefetch', async () => {
  const { source, target, task } = await copied()
  const ofTarget = world.proxy.hold(valuesOf(target))
  await world.write(source, 'Products!A1', [['Loading...', ...Array(2).fill('x')]])
  await world.start(task)
  await ofTarget.arrived
  expect((await world.ended(task)).state).toBe('failed')
  await world.write(source, 'Products!A1', table('new'))
  expect(await world.run(task)).toMatchObject({ state: 'success' })
})
