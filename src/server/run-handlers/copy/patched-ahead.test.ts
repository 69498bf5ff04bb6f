import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beforeImage } from '../../../../test/fixtures/before-image.ts'
import { copyWorld, until } from '../../../../test/fixtures/copy-world.ts'
import { fenceIn } from '../../../../test/fixtures/fences.ts'
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
  words,
} from '../../../../test/fixtures/large-change.ts'

const world = copyWorld({ proxied: true, ...limits })
const killed = copyWorld({ proxied: true, worker: false, ...limits })
beforeEach(() => world.faults())
afterEach(() => {
  for (const { proxy } of [world, killed]) proxy.reset()
})

const old = table('old')
const changed = table('changed')

const staging = { method: 'POST', path: /values:batchUpdate/ }
/** A pair that has been copied, and whose source has changed since. */
async function copied(of = world, copy: (task: number) => Promise<unknown> = (task) => of.run(task)) {
  const { source, target, task } = await of.pair(old)
  await copy(task)
  await of.write(source, 'Products!A1', changed)
  return { source, target, task }
}

/** The copy of such a change, held up at one of the last requests for its target, when something is in the hidden tab already. */
async function halfCompared({ target, task }: { target: string; task: number }) {
  const before = await stagedRequests(world, target)
  const read = world.proxy.hold({ path: new RegExp(`${target}/values/`), method: 'GET', nth: READS - 1 })
  await world.start(task)
  await read.arrived
  await until(async () => (await stagedRequests(world, target)) > before)
  return read
}

const checkpointOf = async (task: number) => {
  const { checkpoint } = await world.db
    .selectFrom('runs')
    .select('checkpoint')
    .where('task_id', '=', task)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return checkpoint
}

describe('what differs goes into the hidden tab while the target is still being compared', () => {
  test('and takes no request more; the image of the target is what it was', async () => {
    const { target, task } = await copied()
    const read = await halfCompared({ target, task })
    expect(await world.values(target, 'Shop')).toEqual(old)
    // Only whoever has seen all of the comparison can go on with that tab.
    expect(fenceIn(await checkpointOf(task))).toBeNull()
    await read.deliver()
    const run = await world.ended(task)
    // The hidden tab, three with rows, the commit.
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' }, requests: { write: 5 } })
    expect(again(run.log)).toEqual([])
    await expectCopied(world, target, changed)
    expect(await beforeImage(world.db, task)).toEqual(old)
  })

  test('and so do rows that the target has not, and those of it that are to go', async () => {
    const { source, target, task } = await copied()
    await world.batch(target, {
      deleteDimension: { range: { sheetId: 100, dimension: 'ROWS', startIndex: 2_240, endIndex: 2_250 } },
    })
    const read = await halfCompared({ target, task })
    await read.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    await expectCopied(world, target, changed)
    const fewer = table('fewer').slice(0, 2_200)
    await world.clear(source, 'Products')
    await world.write(source, 'Products!A1', fewer)
    const next = await halfCompared({ target, task })
    await next.deliver()
    expect(await world.ended(task)).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    await expectCopied(world, target, fewer)
  })

  test('but not where a formula turns out to stand in a cell that looks right', async () => {
    const text = (rows: string[][]) =>
      rows.map((row, index) => row.with(4, index === 0 ? 'Formula' : `="${index}${words}"`))
    const { source, target, task } = await world.pair(text(old))
    await world.run(task)
    const places = [2, 2_249]
    for (const row of places)
      await world.api.spreadsheets.values.update({
        spreadsheetId: target,
        range: `Shop!E${row}`,
        valueInputOption: 'USER_ENTERED',
        requestBody: { values: [[`="${row - 1}${words}"`]] },
      })
    await world.write(source, 'Products!A1', text(changed))
    const run = await world.run(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    expect(again(run.log)).toEqual([])
    await expectCopied(world, target, text(changed))
  })
})

describe('a run that ends while its target is compared leaves no hidden tab, and the target as it was:', () => {
  test('one that is stopped, whose rows arrive late', async () => {
    const { target, task } = await copied()
    const late = world.proxy.hold(staging)
    const read = world.proxy.hold({ path: new RegExp(`${target}/values/`), method: 'GET', nth: READS })
    await world.start(task)
    await Promise.all([late.arrived, read.arrived])
    late.breakOff()
    await world.stop(task)
    expect((await world.ended(task)).state).toBe('stopped')
    expect((await late.deliver()).status).toBe(400)
    await expectCopied(world, target, old)
  })

  test('one that is refused', async () => {
    // With a column more it is to fit one request all the same.
    const some = old.slice(0, 1_900)
    const wide = (mark: string) =>
      some.map((row, index) => [
        ...row.with(4, index === 0 ? (row[4] ?? '') : `${mark} ${index}, ${words}`),
        index === 0 ? 'New' : `${mark} ${index}, ${words}`,
      ])
    const { source, target, task } = await world.pair(some)
    await world.run(task)
    await world.batch(target, { appendDimension: { sheetId: 100, dimension: 'COLUMNS', length: 5 } })
    await world.write(target, 'Shop!F1', [['Mine'], ['and only mine']])
    await world.write(source, 'Products!A1', wide('changed'))
    const before = await stagedRequests(world, target)
    const run = await world.run(task)
    expect(run.state).toBe('failed')
    expect(await stagedRequests(world, target)).toBeGreaterThan(before)
    const [header, first, ...rest] = await world.values(target, 'Shop')
    expect([header, first]).toEqual([
      [...(old[0] ?? []), 'Mine'],
      [...(old[1] ?? []), 'and only mine'],
    ])
    expect(rest).toEqual(some.slice(2))
    expect(await world.tabs(target)).toEqual(['Shop'])
    expect(await recorded(world, target)).toEqual([])
  })
})

test('whoever takes over from a worker that is killed compares anew, and gets rid of the hidden tab', async () => {
  const first = await killed.workerProcess()
  const { target, task } = await copied(killed, async (id) => {
    await killed.start(id)
    await killed.ended(id)
  })
  const late = killed.proxy.hold(staging)
  await killed.start(task)
  await late.arrived
  late.breakOff()
  await first.end('SIGKILL')
  await killed.write(target, 'Shop!C3', [['edited meanwhile']])
  const second = await killed.workerProcess()
  const run = await killed.ended(task)
  expect((await late.deliver()).status).toBe(400)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  expect(again(run.log)).toEqual([])
  await expectCopied(killed, target, changed)
  await second.end()
})

describe('what a colleague does meanwhile is noticed:', () => {
  test('cells typed in before the hidden tab is filled, in rows that have been compared', async () => {
    const { target, task } = await copied()
    const filling = world.proxy.hold(seeding(target))
    await world.start(task)
    await filling.arrived
    await world.write(target, 'Shop!E10', [['mine']])
    await filling.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(again(run.log)).toHaveLength(1)
    await expectCopied(world, target, changed)
  })

  test('cells typed in afterwards, in rows that have been compared and in others', async () => {
    const { target, task } = await copied()
    const read = await halfCompared({ target, task })
    for (const row of [10, 2_240]) await world.write(target, `Shop!E${row}`, [['mine']])
    await read.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    await expectCopied(world, target, changed)
  })

  test('cells that get their new values before they are compared, and after the hidden tab has taken the old ones', async () => {
    const { target, task } = await copied()
    const read = world.proxy.hold({ path: new RegExp(`${target}/values/`), method: 'GET', nth: READS })
    await world.start(task)
    await read.arrived
    await until(() => isOpened(world, target))
    await world.write(target, 'Shop!A2240', [[changed[2_239]?.[0] ?? '']])
    await read.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(again(run.log)).toHaveLength(1)
    await expectCopied(world, target, changed)
  })

  test('a filter set before the hidden tab is filled, which hides rows from that', async () => {
    const { target, task } = await copied()
    const filling = world.proxy.hold(seeding(target))
    await world.start(task)
    await filling.arrived
    const range = {
      sheetId: 100,
      startRowIndex: 0,
      endRowIndex: 2_250,
      startColumnIndex: 0,
      endColumnIndex: 5,
    }
    const filter = { range, criteria: { 4: { hiddenValues: [old[9]?.[4] ?? ''] } } }
    await world.batch(target, { setBasicFilter: { filter } })
    await filling.deliver()
    const run = await world.ended(task)
    expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
    // Not even for a moment did other rows stand there.
    expect(again(run.log)).toEqual([])
    await expectCopied(world, target, changed)
    const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
    expect(data.sheets?.[0]?.basicFilter).toMatchObject(filter)
  })

  test('a row inserted into it', async () => {
    const { target, task } = await copied()
    const read = await halfCompared({ target, task })
    const range = { sheetId: 100, dimension: 'ROWS', startIndex: 3, endIndex: 4 }
    await world.batch(target, { insertDimension: { range } })
    await read.deliver()
    const run = await world.ended(task)
    expect(run.state).toBe('success')
    expect(run.log.join()).toContain('were inserted or deleted while it was copied')
    expect((await world.values(target, 'Shop')).slice(0, 2_250)).toEqual(changed)
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('the hidden tab deleted', async () => {
    const { target, task } = await copied()
    const read = await halfCompared({ target, task })
    const [tab] = await recorded(world, target)
    await world.batch(target, { deleteSheet: { sheetId: Number(tab?.sheet_id) } })
    await read.deliver()
    expect((await world.ended(task)).state).toBe('success')
    await expectCopied(world, target, changed)
  })
})
