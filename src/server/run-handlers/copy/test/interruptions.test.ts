import { beforeEach, expect, test } from 'vitest'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'
import { stagingTabIn } from '../../../../../test/fixtures/staging-tab-checkpoint.ts'
import { Checkpoint } from '../checkpoint.ts'

const world = copyWorld()
beforeEach(() => world.faults())

// About 6 MB: four requests to the staging tab.
const words = 'and some words more, '.repeat(18)
const large = Array.from({ length: 3_000 }, (_, row) =>
  Array.from({ length: 5 }, (_, column) => `row ${row}, column ${column}, ${words}`),
)
const held = [['old'], ['table']]

const largeTask = () => world.pair(large, held)

async function fenceOf(task_id: number) {
  const { checkpoint } = await world.db
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.last_run_id', 'runs.id')
    .select('checkpoint')
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  return stagingTabIn(checkpoint)
}

const stagedRows = async (task_id: number) => (await fenceOf(task_id))?.rows ?? 0
const slowWrites = () =>
  world.faults({ kind: 'latency', ms: 150, match: { method: 'spreadsheets.values.batchUpdate' } })
const recorded = () => world.db.selectFrom('staging_tabs').selectAll().execute()

test('a worker that gets the run redelivered resumes at the first rows that are not confirmed, in the same staging tab', async () => {
  const { target, task } = await largeTask()
  await slowWrites()
  await world.start(task)
  await until(async () => (await stagedRows(task)) > 0)
  await world.changeEngine()
  const before = await fenceOf(task)
  await world.faults()
  const run = await world.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', cells_changed: 15_000 } })
  // The worker resumed exactly where the first one ended: no rows were skipped and repaired later.
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(large)
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await recorded()).toEqual([])
  // Two requests may be repeated: those in flight when the first worker ended.
  const staged = await world.cellsWritten(run.id, 'values:batchUpdate')
  expect(staged).toBeLessThan(15_000 * 1.7)
  expect(before?.rows).toBeGreaterThan(0)
  expect(run.receipt).toMatchObject({ reads: run.requests.read })
  // The first worker ended before it could record its requests in flight.
  expect([0, 1, 2]).toContain(run.requests.write - (run.receipt?.writes ?? 0))
  // The source was read once.
  expect(run.log.filter((line) => line.includes('INFO Read '))).toHaveLength(1)
})

test('a worker that gets the run redelivered after the commit detects it and writes nothing', async () => {
  const { target, task } = await largeTask()
  // The response to the commit, the only such request after staging, is lost.
  const slow = {
    kind: 'latency',
    ms: 400,
    match: { method: 'spreadsheets.values.batchUpdate' },
  } as const
  await world.faults(slow)
  await world.start(task)
  await until(async () => (await stagedRows(task)) > 0)
  // Interrupt during staging: the commit itself takes too little time.
  await world.faults(slow, {
    kind: 'execute-then-timeout',
    ms: 400,
    match: { method: 'spreadsheets.batchUpdate' },
  })
  await until(async () => (await world.values(target, 'Shop!A1'))[0]?.[0] !== 'old')
  await world.changeEngine()
  await world.faults()
  const run = await world.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged', cells_changed: 15_000 } })
  expect(await world.values(target, 'Shop')).toEqual(large)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a staging tab that was seeded with rows of the target is created again by the worker that takes over', async () => {
  const { source, target, task } = await world.pair(large, [])
  await world.run(task)
  const changed = large.map((row, index) => {
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = row
    return [index === 2_990 ? 'new' : first, second, `${third}!`, `${fourth}!`, index % 10 === 0 ? '' : fifth]
  })
  await world.write(source, 'Products!A1', changed)
  await world.faults({ kind: 'latency', ms: 500, match: { method: 'spreadsheets.values.batchUpdate' } })
  await world.start(task)
  await until(async () => (await world.tabs(target)).length > 1)
  const former = await fenceOf(task)
  // The cell is then no longer among the differences and unchanged in the staging tab.
  await world.write(target, 'Shop!A2991', [['new']])
  await world.changeEngine()
  await world.faults()
  const run = await world.ended(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  const trimmed = changed.map((row) => (row.at(-1) === '' ? row.slice(0, -1) : row))
  expect(await world.values(target, 'Shop')).toEqual(trimmed)
  expect(await world.tabs(target)).toEqual(['Shop'])
  // Workers of the previous release do not know that the run must not be resumed.
  expect(former).toBeNull()
})

test('a stop during a staged copy leaves the target unchanged and no staging tab', async () => {
  const { target, task } = await largeTask()
  await slowWrites()
  await world.start(task)
  await until(async () => (await stagedRows(task)) > 0)
  await world.stop(task)
  const run = await world.ended(task)
  expect(run.state).toBe('stopped')
  expect(await world.values(target, 'Shop')).toEqual(held)
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await recorded()).toEqual([])
  await world.faults()
  expect((await world.run(task)).state).toBe('success')
})

test('a staging tab that is deleted while it is filled is created and filled again', async () => {
  const { target, task } = await largeTask()
  await slowWrites()
  await world.start(task)
  await until(async () => (await stagedRows(task)) > 0)
  const id = (await fenceOf(task))?.id ?? 0
  await world.batch(target, { deleteSheet: { sheetId: id } })
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(large)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a commit whose staging tab is gone is refused as a whole, and the run then succeeds', async () => {
  const { target, task } = await world.pair(large.slice(0, 100), held)
  // Two requests of this kind: adding the tab, and the commit, which is delayed after it was sent.
  await world.faults({ kind: 'latency', ms: 800, count: 2, match: { method: 'spreadsheets.batchUpdate' } })
  await world.start(task)
  await until(async () => (await world.faultsLeft()) === 0)
  const id = (await fenceOf(task))?.id ?? 0
  await world.batch(target, { deleteSheet: { sheetId: id } })
  expect(await world.values(target, 'Shop')).toEqual(held)
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(large.slice(0, 100))
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('staging tabs that an interrupted run left behind are removed by the next one', async () => {
  const { target, task } = await largeTask()
  await world.batch(target, {
    addSheet: { properties: { sheetId: 4711, title: 'Rowferry 4711 (temporary)', hidden: true } },
  })
  await world.db
    .insertInto('staging_tabs')
    .values({ run_id: 999_999, spreadsheet_id: target, sheet_id: 4711 })
    .execute()
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log).toContain('INFO Removing 1 staging tab that an interrupted run left behind.')
  expect(await world.tabs(target)).toEqual(['Shop'])
  expect(await recorded()).toEqual([])
})

test('a checkpoint of an earlier version, which stored the staging tab at its top level, is resumed', () => {
  const own = {
    started_at: 1,
    reads: 2,
    writes: 3,
    snapshot_id: 4,
    before_snapshot_id: null,
    commit: { mode: 'staged', cells_changed: 5 },
  }
  const since = { format_sample_rows: null, by_key: null, row_commit: null }
  const target = { new_sheet_id: 6, fence: { id: 7, rows: 8 } }
  expect(Checkpoint.parse({ ...own, ...target })).toEqual({ ...own, ...since, target })
  expect(Checkpoint.parse({ ...own, target })).toEqual({ ...own, ...since, target })
})
