import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// A spreadsheet without room for a second copy of the table, and a difference too large for one cell commit.
const world = copyWorld({ proxied: true, commit_bytes: 2_000, requestBytes: 5_000 })
afterEach(() => world.proxy.reset())

const ROWS = 300
const COLUMNS = 10
const row = (mark: string, row: number) =>
  Array.from({ length: COLUMNS }, (_, column) => `${mark} ${row}/${column}, and some words more`)
const table = (mark: string) => Array.from({ length: ROWS }, (_, number) => row(mark, number))
const old = table('old')

/** Replaces rows at the beginning, middle and end of the table; one of them becomes shorter. */
const rewritten = old
  .map((cells, number) => (number < 290 && number % 50 > 5 ? cells : row('new', number)))
  .with(100, row('new', 100).slice(0, 4))

const staging = { path: /values:batchUpdate/ }

/** A copied table whose source has changed, in a spreadsheet with room for about a third of it. */
async function copied() {
  const { source, target, task } = await world.pair(old)
  await world.run(task)
  await world.fillUp(target, 1_000)
  await world.clear(source, 'Products')
  await world.write(source, 'Products!A1', rewritten)
  return { source, target, task }
}

test('only the rows that differ are staged, and committed at once', async () => {
  const { target, task } = await copied()
  const held = world.proxy.hold(staging)
  await world.start(task)
  expect(await held.arrived).not.toContain('old')
  expect(await world.values(target, 'Shop')).toEqual(old)
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.receipt).toMatchObject({ mode: 'staged' })
  expect(run.log.join()).toContain('only the rows that differ are written into a staging tab')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(rewritten)
  expect(await world.tabs(target)).toEqual(['Shop', 'Filler'])
})

test('a worker that takes over stages the rows that differ by then, and rows of the first worker that arrive late are refused', async () => {
  const { target, task } = await copied()
  const late = world.proxy.hold(staging)
  await world.start(task)
  await late.arrived
  await world.write(target, 'Shop!A201', [row('edited', 200)])
  late.breakOff()
  await world.changeEngine()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect((await late.deliver()).status).toBe(400)
  expect(await world.values(target, 'Shop')).toEqual(rewritten)
  expect(await world.tabs(target)).toEqual(['Shop', 'Filler'])
})

test('a worker that takes over when there is room for the whole table does not resume with the rows that differ', async () => {
  const { target, task } = await copied()
  // By then the first request is recorded as staged.
  const third = world.proxy.hold({ ...staging, nth: 3 })
  await world.start(task)
  await third.arrived
  await world.removeFiller(target)
  third.breakOff()
  await world.changeEngine()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.log.join()).toContain('The new table is assembled in a staging tab')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(rewritten)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a table with fewer rows has room as well', async () => {
  const { source, target, task } = await copied()
  await world.clear(source, 'Products!A206:J')
  const run = await world.run(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(await world.values(target, 'Shop')).toEqual(rewritten.slice(0, 205))
})

test('where more rows differ than have room, the run fails before it writes', async () => {
  const { source, target, task } = await copied()
  await world.write(source, 'Products!A1', table('new'))
  const run = await world.run(task)
  expect(run.state).toBe('failed')
  expect(run.message).toContain('Google allows 10,000,000. Copy fewer columns')
  expect(await world.values(target, 'Shop')).toEqual(old)
  expect(await world.tabs(target)).toEqual(['Shop', 'Filler'])
})
