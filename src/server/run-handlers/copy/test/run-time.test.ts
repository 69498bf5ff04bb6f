import { expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { formatsOf } from '../../../../../test/fixtures/mixed-formats.ts'
import { timeCell } from '../read/run-time.ts'

const world = copyWorld()

const header = ['SKU', 'Stock']
const rows = [1, 2, 3, 4].map((n): Cell[] => [`SKU-${n}`, n])
const extraColumns = JSON.stringify([{ kind: 'run_time', name: 'Written' }])

const written = async (target: string) => (await world.values(target, 'Shop!C2:C5')).map(([time]) => time)

test('the column holds the time of the run as a date, in each row', async () => {
  const before = timeCell(new Date(Date.now() - 1_000), 'UTC')
  const { target, task } = await world.pair([header, ...rows], [], { extra_columns: extraColumns })
  expect(await world.run(task)).toMatchObject({ state: 'success', receipt: { rows: 4, columns: 3 } })
  const times = await written(target)
  expect(times).toEqual([times[0], times[0], times[0], times[0]])
  expect(Number(times[0])).toBeGreaterThanOrEqual(before)
  expect(Number(times[0])).toBeLessThanOrEqual(timeCell(new Date(), 'UTC'))
  expect(await formatsOf(world, target, 'Shop!C5', 1)).toEqual([
    { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm:ss' },
  ])
})

/** A task that has run, at a time from which the clock has moved on. */
async function copiedEarlier() {
  const pair = await world.pair([header, ...rows], [], { extra_columns: extraColumns })
  await world.run(pair.task)
  const times = await written(pair.target)
  await expect.poll(() => timeCell(new Date(), 'UTC'), { timeout: 5_000 }).toBeGreaterThan(Number(times[0]))
  return { ...pair, times }
}

test('a run that would change nothing but the time writes nothing, and so does the one after it', async () => {
  const { target, task, times } = await copiedEarlier()
  for (let run = 0; run < 2; run += 1) {
    const again = await world.run(task)
    expect(again).toMatchObject({ state: 'success', receipt: { mode: 'unchanged' }, requests: { write: 0 } })
    expect(again.receipt?.source_hash).toBe(again.receipt?.target_hash)
    expect(await written(target)).toEqual(times)
  }
  expect((await world.preview(task)).plan?.summary.lines).toEqual([
    { level: 'note', text: 'Nothing changes' },
  ])
})

test('a run that changes one cell gives every row its time, and no row moves for that', async () => {
  const { source, target, task, times } = await copiedEarlier()
  await world.write(target, 'Shop!E3', [['mine']])
  await world.write(source, 'Products!B2', [[99]])
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { cells_changed: 5 } })
  const later = await written(target)
  expect(later).toEqual([later[0], later[0], later[0], later[0]])
  expect(Number(later[0])).toBeGreaterThan(Number(times[0]))
})

test('another editor’s change is put right with the time of the run before', async () => {
  const { target, task, times } = await copiedEarlier()
  await world.write(target, 'Shop!B3:C3', [[-1, 'typed']])
  expect(await world.run(task)).toMatchObject({ state: 'success', receipt: { cells_changed: 2 } })
  expect(await written(target)).toEqual(times)
})

test('a target that was emptied meanwhile is filled with the time of the run before', async () => {
  const { target, task, times } = await copiedEarlier()
  await world.clear(target, 'Shop')
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect(await written(target)).toEqual(times)
})

test('a row that is inserted is found as such, whatever time the others get', async () => {
  const { source, target, task } = await copiedEarlier()
  await world.write(target, 'Shop!E4', [['ordered']])
  await world.write(source, 'Products', [header, rows[0] ?? [], ['NEW', 2], ...rows.slice(1)])
  const run = await world.run(task)
  expect(run.message).toContain('‘ordered’ in E4 stands beside SKU-3; it would stand beside SKU-2')
  expect((await world.preview(task)).plan?.summary.rows).toMatchObject({ added: 1, removed: 0 })
})
