import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beforeImage } from '../../../../../test/fixtures/before-image.ts'
import { type CopyWorld, copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'
import { stagingTabIn } from '../../../../../test/fixtures/staging-tab-checkpoint.ts'

const small = { commit_bytes: 500_000, requestBytes: 500_000 }
// The source takes two reads of eight requests each.
const world = copyWorld({ proxied: true, cellsPerRead: 4_000, ...small })
const atOnce = copyWorld({ proxied: true, ...small })
const killed = copyWorld({ proxied: true, worker: false, ...small })
beforeEach(() => world.faults())
afterEach(() => {
  for (const { proxy } of [world, atOnce, killed]) proxy.reset()
})

/** Id that `spreadsheet` assigns to the first tab. */
const FIRST_TAB = 100
const READS = 8

// About 1.6 MB: four requests to the staging tab.
const words = 'and some words more, '.repeat(4)
const table = (mark: string) =>
  Array.from({ length: 3_000 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) => `${mark} ${row}, column ${column}, ${words}`),
  )
const large = table('row')

const readOf = (source: string, nth: number) => ({
  path: new RegExp(`${source}/values/`),
  method: 'GET',
  nth,
})
const staging = { method: 'POST', path: /values:batchUpdate/ }

const stagedRequests = async ({ ledger }: Pick<CopyWorld, 'ledger'>, target: string) =>
  (await ledger()).filter(
    ({ path, spreadsheet_id, applied }) =>
      path.endsWith('values:batchUpdate') && spreadsheet_id === target && applied,
  ).length
const someStaged = (target: string, of = world) =>
  until(async () => (await stagedRequests({ ledger: () => of.ledger() }, target)) > 0)
const recorded = (target: string, of = world) =>
  of.db.selectFrom('staging_tabs').selectAll().where('spreadsheet_id', '=', target).execute()

/** A copy to a blank tab, paused at a source request after rows were written to the staging tab. */
async function halfRead(nth: number) {
  const { source, target, task } = await world.pair(large)
  const read = world.proxy.hold(readOf(source, nth))
  await world.start(task)
  await read.arrived
  await someStaged(target)
  return { source, target, task, read }
}

async function expectCopied(target: string, rows: unknown[][], of = world) {
  expect(await of.values(target, 'Shop')).toEqual(rows)
  expect(await of.tabs(target)).toEqual(['Shop'])
  expect(await recorded(target, of)).toEqual([])
}

describe('rows are staged while the source is still being read, if the target is known to be empty', () => {
  test('without an additional request', async () => {
    const { target, task, read } = await halfRead(6)
    expect(await world.values(target, 'Shop')).toEqual([])
    await read.deliver()
    const run = await world.ended(task)
    // Create the staging tab, four requests with rows, the commit.
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' }, requests: { write: 6 } })
    // Both tabs, both readings, formats, all tabs of the target, its header row right before the commit, and half as many columns read back.
    expect(run.requests.read).toBe(2 + 2 * READS + 3 + READS / 2)
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    await expectCopied(target, large)
  })

  test('and during its second reading; rows of a reading that another one does not confirm are discarded', async () => {
    const { source, target, task, read } = await halfRead(READS + 1)
    await world.write(source, 'Products!A1', [['edited']])
    await read.deliver()
    const run = await world.ended(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    expect(run.log.join()).toContain('was edited while it was read')
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    await expectCopied(target, large.with(0, large[0]?.with(0, 'edited') ?? []))
  })

  test('and rows whose staging has not ended when the source is read count as progress', async () => {
    const { target, task, read } = await halfRead(6)
    const rows = world.proxy.hold(staging)
    await read.deliver()
    await rows.arrived
    const progress = () =>
      world.db
        .selectFrom('runs')
        .select(['phase', 'rows_total'])
        .where('task_id', '=', task)
        .executeTakeFirstOrThrow()
    await until(async () => (await progress()).phase === 'Writing')
    expect(await progress()).toEqual({ phase: 'Writing', rows_total: large.length - 1 })
    await rows.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    await expectCopied(target, large)
  })

  test('also for a target tab that does not exist yet', async () => {
    const { source, target, task } = await world.pair(large, [], { target_sheet_name: 'New' })
    const read = world.proxy.hold(readOf(source, 6))
    await world.start(task)
    await read.arrived
    await someStaged(target)
    await read.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success', requests: { write: 6 } })
    expect(await world.values(target, 'New')).toEqual(large)
    expect(await world.tabs(target)).toEqual(['Shop', 'New'])
  })

  test('but not for one that holds rows', async () => {
    const { source, target, task } = await world.pair(large, [[], ['', 'old']])
    const formats = world.proxy.hold({ path: new RegExp(`${source}\\?.*ranges=`), nth: 2 })
    await world.start(task)
    await formats.arrived
    expect(await world.tabs(target)).toEqual(['Shop'])
    await formats.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success' })
    const [, ...rows] = await beforeImage(world.db, task)
    expect(rows.filter((cells) => cells.length > 0)).toEqual([['', 'old']])
    await expectCopied(target, large)
  })
})

describe('a run that ends while its rows are staged leaves no staging tab:', () => {
  test('one that is refused', async () => {
    const { source, target, task } = await world.pair([...large.slice(0, -1), ['Loading...']])
    await world.setRetries(task, 0)
    const read = world.proxy.hold(readOf(source, READS))
    await world.start(task)
    await read.arrived
    await someStaged(target)
    await read.deliver()
    expect(await world.ended(task)).toMatchObject({
      state: 'failed',
      requests: { write: expect.any(Number) },
    })
    await expectCopied(target, [])
  })

  test('one that is refused while the creation of the tab is in flight', async () => {
    const { target, task } = await world.pair([...large.slice(0, -1), ['Loading...']])
    await world.setRetries(task, 0)
    await world.faults({
      kind: 'latency',
      ms: 4_000,
      count: 1,
      match: { method: 'spreadsheets.batchUpdate' },
    })
    expect((await world.run(task)).state).toBe('failed')
    expect(await world.faultsLeft()).toBe(0)
    await expectCopied(target, [])
  })

  test('one that is stopped', async () => {
    const { target, task } = await halfRead(6)
    await world.stop(task)
    expect((await world.ended(task)).state).toBe('stopped')
    await expectCopied(target, [])
  })
})

describe('the worker that takes over begins again', () => {
  test('from a worker that is asked to end', async () => {
    const { source, target, task } = await halfRead(6)
    await world.changeEngine()
    // The target must not receive rows of the first read.
    await world.write(source, 'Products!B3', [['edited meanwhile']])
    const run = await world.ended(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('from one that is killed', async () => {
    const { source, target, task } = await killed.pair(large)
    // The grid is too large to be read in the request that finds the tab.
    const more = { sheetId: FIRST_TAB, dimension: 'ROWS', length: 50_000 }
    await killed.batch(source, { appendDimension: more })
    const formats = killed.proxy.hold({ path: new RegExp(`${source}\\?.*ranges=.*Products`), nth: 2 })
    const first = await killed.workerProcess()
    await killed.start(task)
    await formats.arrived
    await someStaged(target, killed)
    await first.end('SIGKILL')
    await killed.write(source, 'Products!B3', [['edited meanwhile']])
    const second = await killed.workerProcess()
    const run = await killed.ended(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    await expectCopied(target, await killed.values(source, 'Products'), killed)
    await second.end()
  })
})

describe('what another editor does after the target was seen empty is detected:', () => {
  test('rows typed into it', async () => {
    const { target, task, read } = await halfRead(6)
    await world.write(target, 'Shop!A1', [['mine'], ['too']])
    await read.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(run.log.join()).toContain('Opening the spreadsheets again')
    expect(run.log.join()).toContain('holds 1 row;')
    await expectCopied(target, large)
  })

  test('rows added to it before its tabs were listed', async () => {
    const { source, target, task } = await world.pair(large)
    const read = world.proxy.hold(readOf(source, 1))
    await world.start(task)
    await read.arrived
    const more = { appendDimension: { sheetId: FIRST_TAB, dimension: 'ROWS', length: 5 } }
    await world.batch(target, more)
    await world.write(target, 'Shop!A24', [['mine']])
    await read.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(run.log.join()).toContain('were inserted or deleted while it was copied')
    expect(run.log.join()).toContain('holds 23 rows;')
    await expectCopied(target, large)
  })

  test('the staging tab deleted', async () => {
    const { target, task, read } = await halfRead(6)
    const { checkpoint } = await world.db
      .selectFrom('runs')
      .select('checkpoint')
      .where('task_id', '=', task)
      .executeTakeFirstOrThrow()
    await world.batch(target, { deleteSheet: { sheetId: stagingTabIn(checkpoint)?.id ?? 0 } })
    await read.deliver()
    expect((await world.ended(task)).state).toBe('success')
    await expectCopied(target, large)
  })
})

describe('a staging tab that was created for a table of another size', () => {
  test('grows with rows and columns that the source gains while it is read', async () => {
    const { source, target, task } = await world.pair(large)
    const read = world.proxy.hold(readOf(source, READS))
    await world.start(task)
    await read.arrived
    await someStaged(target)
    const more = { sheetId: FIRST_TAB, length: 600 }
    await world.batch(source, { appendDimension: { ...more, dimension: 'ROWS' } })
    await world.write(source, 'Products!A3001', large.slice(0, 600))
    await read.deliver()
    const run = await world.ended(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', rows: 3_599 } })
    expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
    await expectCopied(target, [...large, ...large.slice(0, 600)])
  })

  test('is not created if it would exceed the limit of a spreadsheet', async () => {
    const { source, target, task } = await atOnce.pair(large)
    const more = { sheetId: FIRST_TAB, dimension: 'ROWS', length: 600_000 }
    await atOnce.batch(source, { appendDimension: more })
    const formats = atOnce.proxy.hold({ path: new RegExp(`${source}\\?.*ranges=.*Products`), nth: 2 })
    await atOnce.start(task)
    await formats.arrived
    expect(await atOnce.tabs(target)).toEqual(['Shop'])
    await formats.deliver()
    expect(await atOnce.ended(task)).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    await expectCopied(target, large, atOnce)
  })
})

test('rows that arrive late for a staging tab that is gone change nothing', async () => {
  const { source, target, task } = await world.pair(large)
  const late = world.proxy.hold(staging)
  const read = world.proxy.hold(readOf(source, 6))
  await world.start(task)
  await Promise.all([late.arrived, read.arrived])
  late.breakOff()
  await read.deliver()
  expect((await world.ended(task)).state).toBe('success')
  expect((await late.deliver()).status).toBe(400)
  await expectCopied(target, large)
})
