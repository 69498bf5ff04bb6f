import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import {
  DATES,
  EURO,
  formatsOf,
  mixed,
  setFormats,
  withHeader,
} from '../../../../../test/fixtures/mixed-formats.ts'

const world = copyWorld({ proxied: true })
const killed = copyWorld({ proxied: true, worker: false })
afterEach(() => {
  for (const { proxy } of [world, killed]) proxy.reset()
})

const readBack = (target: string) => ({
  method: 'GET',
  path: new RegExp(`${target}.*fields=sheets(\\(|%28)data`),
})

test('formats that the target does not show when it is read back are written again', async () => {
  const { target, task, shown } = await mixed(world, DATES)
  const look = world.proxy.hold(readBack(target))
  await world.start(task)
  await look.arrived
  expect(await formatsOf(world, target, shown, 8)).toEqual(DATES.formats)
  await setFormats(world, target, [[2, 1, EURO]])
  await look.deliver()
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(run.log).toContainEqual(
    expect.stringMatching(
      /^WARNING .Shop. in .Book. does not show the number formats that were written in column B\. Writing them again\.$/,
    ),
  )
  expect(await formatsOf(world, target, shown, 8)).toEqual(DATES.formats)
})

test('a target that still shows other formats is a Warning that names the column', async () => {
  const { target, task, shown } = await mixed(world, DATES)
  const first = world.proxy.hold(readBack(target))
  await world.start(task)
  await first.arrived
  await setFormats(world, target, [[2, 1, EURO]])
  const second = world.proxy.hold(readBack(target))
  await first.deliver()
  await second.arrived
  await setFormats(world, target, [[2, 1, EURO]])
  await second.deliver()
  const run = await world.ended(task)
  expect(run.state).toBe('warning')
  expect(run.log).toContain(
    'WARNING Google shows other number formats than were written in column B of ‘Shop’ in ‘Book’.',
  )
  expect((await formatsOf(world, target, shown, 8))[1]).toEqual(EURO)
})

test('a run whose worker is killed before its commit arrives is ended by another one, with the formats of each cell', async () => {
  const first = await killed.workerProcess()
  const { target, task, shown } = await mixed(killed, DATES)
  const commit = killed.proxy.hold({ path: new RegExp(`${target}:batchUpdate`), body: /"repeatCell"/ })
  await killed.start(task)
  await commit.arrived
  commit.breakOff()
  await first.end('SIGKILL')
  const second = await killed.workerProcess()
  const run = await killed.ended(task)
  expect(run.state).toBe('success')
  // It arrives after another worker has written the same values.
  expect((await commit.deliver()).status).toBe(400)
  expect(await formatsOf(killed, target, shown, 8)).toEqual(DATES.formats)
  expect(await killed.values(target, 'Shop')).toEqual(withHeader(DATES.rows))
  await second.end()
})

test('a run whose worker is killed after its commit is ended by another one, and the commit is not repeated', async () => {
  const first = await killed.workerProcess()
  const { target, task, shown } = await mixed(killed, DATES)
  const look = killed.proxy.hold(readBack(target))
  await killed.start(task)
  await look.arrived
  look.breakOff()
  await first.end('SIGKILL')
  const second = await killed.workerProcess()
  const run = await killed.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { cells_changed: 18 } })
  expect(run.log.filter((line) => /cells in \d+ rows differ/.test(line)).length).toBe(1)
  expect(await formatsOf(killed, target, shown, 8)).toEqual(DATES.formats)
  await second.end()
})

test('a write in place of an earlier release, which set formats last, is completed with the formats that are missing', async () => {
  const first = await killed.workerProcess()
  const { target, task, shown } = await mixed(killed, DATES)
  const look = killed.proxy.hold(readBack(target))
  await killed.start(task)
  await look.arrived
  look.breakOff()
  await first.end('SIGKILL')
  await setFormats(killed, target, [[2, 1, EURO]])
  await sql`update runs set checkpoint = jsonb_set(checkpoint::jsonb, '{commit,mode}', '"in_place"')
    where task_id = ${task}`.execute(killed.db)
  const second = await killed.workerProcess()
  const run = await killed.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'in_place', cells_changed: 18 } })
  expect(await formatsOf(killed, target, shown, 8)).toEqual(DATES.formats)
  await second.end()
})
