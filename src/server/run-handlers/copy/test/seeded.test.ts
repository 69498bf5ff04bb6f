import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// A difference too large for one commit, in a staging tab seeded with the target's rows.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterEach(() => world.proxy.reset())

const table = (mark: string) =>
  Array.from({ length: 300 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) =>
      column === 3 ? `${mark} ${row}` : `row ${row}, column ${column}, as it always was`,
    ),
  )

/** A copied table in which every source row has changed; one is shorter than before. */
async function changed() {
  const { source, target, task } = await world.pair(table('old'))
  await world.run(task)
  const rows = table('new')
  await world.write(source, 'Products!A1', rows)
  await world.clear(source, 'Products!E20:J20')
  return { target, task, rows: rows.with(19, rows[19]?.slice(0, 4) ?? []) }
}

const creation = { path: /:batchUpdate/, body: /"addSheet".*"copyPaste"/ }

test('where Google does not copy values into a tab of the same request, the whole table is staged', async () => {
  const { target, task, rows } = await changed()
  const held = world.proxy.hold(creation)
  await world.start(task)
  await held.arrived
  // Simulates a tab that does not exist yet when values are copied into it.
  const tooEarly = (body: string) => {
    const { requests, ...rest } = JSON.parse(body)
    return JSON.stringify({ ...rest, requests: requests.toReversed() })
  }
  expect((await held.deliver(tooEarly)).status).toBe(400)
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.receipt).toMatchObject({ mode: 'staged', cells_changed: 306 })
  expect(await world.values(target, 'Shop')).toEqual(rows)
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
})

test('a worker that takes over, of any version, does not resume with it: it is not in the checkpoint', async () => {
  const { target, task, rows } = await changed()
  const held = world.proxy.hold({ path: /values:batchUpdate/ })
  await world.start(task)
  await held.arrived
  const { checkpoint } = await world.db
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.last_run_id', 'runs.id')
    .select('checkpoint')
    .where('tasks.id', '=', task)
    .executeTakeFirstOrThrow()
  expect(z.object({ target: z.object({ fence: z.null() }) }).safeParse(checkpoint).success).toBe(true)
  held.breakOff()
  await world.changeEngine()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.log).toContain('INFO Removing 1 staging tab that an interrupted run left behind.')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(rows)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a cell that another editor types in before the tab is copied is repaired after the commit', async () => {
  const { target, task, rows } = await changed()
  const held = world.proxy.hold(creation)
  await world.start(task)
  await held.arrived
  await world.write(target, 'Shop!E10', [['mine']])
  await held.deliver()
  const run = await world.ended(task)
  expect([run.state, run.message]).toEqual(['success', run.message])
  expect(run.log.filter((line) => line.includes('Writing again'))).toHaveLength(1)
  expect(await world.values(target, 'Shop')).toEqual(rows)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a filter that another editor sets before the tab is copied, which hides rows from the copy, stays and loses no row', async () => {
  const { target, task, rows } = await changed()
  const held = world.proxy.hold(creation)
  await world.start(task)
  await held.arrived
  const range = { sheetId: 100, startRowIndex: 0, endRowIndex: 300, startColumnIndex: 0, endColumnIndex: 10 }
  const filter = { range, criteria: { 3: { hiddenValues: ['old 9'] } } }
  await world.batch(target, { setBasicFilter: { filter } })
  await held.deliver()
  const run = await world.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(rows)
  const { data } = await world.api.spreadsheets.get({ spreadsheetId: target })
  expect(data.sheets?.[0]?.basicFilter).toMatchObject(filter)
})
