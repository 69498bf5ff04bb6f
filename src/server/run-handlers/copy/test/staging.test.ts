import { afterEach, expect, test } from 'vitest'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'
import { stagingTabIn } from '../../../../../test/fixtures/staging-tab-checkpoint.ts'

const world = copyWorld({ proxied: true })
afterEach(() => world.proxy.reset())

// About 6 MB: four requests to the staging tab.
const words = 'and some words more, '.repeat(18)
const large = Array.from({ length: 3_000 }, (_, row) =>
  Array.from({ length: 5 }, (_, column) => `row ${row}, column ${column}, ${words}`),
)

const staged = { method: 'POST', path: /values:batchUpdate/ }

async function fenceOf(task_id: number) {
  const { checkpoint } = await world.db
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.last_run_id', 'runs.id')
    .select('checkpoint')
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  return stagingTabIn(checkpoint)
}

test('two requests with rows are in flight at a time; one that is complete before the one above it does not count for a worker that takes over', async () => {
  const { target, task } = await world.pair(large)
  const begin = world.proxy.hold({ ...staged, body: /!A1:/ })
  await world.start(task)
  await begin.arrived
  await until(async () => (await world.ledger()).some(({ path }) => path.endsWith('values:batchUpdate')))
  await world.changeEngine()
  expect(await fenceOf(task)).toMatchObject({ rows: 0 })
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(large)
  expect(await world.tabs(target)).toEqual(['Shop'])
})

test('a worker that takes over resumes with the first row that is not confirmed, and skips none', async () => {
  const { target, task } = await world.pair(large)
  const second = world.proxy.hold({ ...staged, nth: 2 })
  await world.start(task)
  await second.arrived
  await until(async () => ((await fenceOf(task))?.rows ?? 0) > 0)
  await world.changeEngine()
  const run = await world.ended(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
  expect(await world.values(target, 'Shop')).toEqual(large)
})
