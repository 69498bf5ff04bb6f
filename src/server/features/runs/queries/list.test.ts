import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../../test/fixtures/database.ts'
import { aSyncTask, aUser } from '../../../../../test/fixtures/factories.ts'
import { nodesOf, type Plan, planningDb } from '../../../../../test/fixtures/plans.ts'
import { listRuns } from './list.ts'

type Filters = Omit<Parameters<typeof listRuns>[1], 'limit'>

let database: TestDatabase
let user_id: number
let task_id: number
let planned: ReturnType<typeof planningDb>
const plans: Plan[] = []

/** 20,000 runs of a month. Every 50th failed, every 33rd was started by a user. */
beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  user_id = (await aUser(db)).id
  task_id = (await aSyncTask(db)).id
  // A notification per run would take longer than the inserts.
  await sql`alter table runs disable trigger user`.execute(db)
  await sql`insert into runs (task_id, category, task_name, state, trigger, triggered_by, definition, queued_at)
    select case when n % 40 = 0 then ${task_id}::int end, case when n % 100 = 0 then 'compiler' else 'sync' end, 'Task ' || n,
      case when n % 50 = 7 then 'failed' else 'success' end, case when n % 33 = 0 then 'manual' else 'schedule' end,
      case when n % 33 = 0 then ${user_id}::int end, jsonb_build_object('source', repeat('x', 600)),
      timestamptz '2026-11-01' + make_interval(mins => n * 2)
    from generate_series(1, 20000) n order by n`.execute(db)
  await sql`alter table runs enable trigger user`.execute(db)
  await sql`vacuum analyze runs`.execute(db)
  planned = planningDb(database.url, /candidates/, ({ plan }) => plans.push(plan))
})
afterAll(() => planned.destroy())

/** The page for the filters, and how its query reads runs: kind of scan and index. */
async function readWith(filters: Filters): Promise<{ found: number; reads: Set<string> }> {
  plans.length = 0
  const { runs } = await listRuns(planned, { limit: 50, ...filters })
  const reads = plans
    .flatMap((plan) => [...nodesOf(plan)])
    .filter((node) => node['Relation Name'] === 'runs')
    .map((node) => `${node['Node Type']} ${node['Index Name'] ?? ''}`)
  return { found: runs.length, reads: new Set(reads) }
}

// Runs are read by id only: what narrows them down is read from an index alone.
const BY_ID = 'Index Scan runs_pkey'
const failed: Filters = { state: ['failed'] }
const byIndex = (...names: string[]) => new Set([BY_ID, ...names.map((name) => `Index Only Scan ${name}`)])

test('each filter of the list of runs reads candidates from its index', async () => {
  expect(await readWith({})).toEqual({ found: 50, reads: new Set(['Index Only Scan runs_pkey']) })
  expect((await readWith(failed)).reads).toEqual(byIndex('runs_outcome_idx'))
  expect((await readWith({ category: 'compiler' })).reads).toEqual(byIndex('runs_category_idx'))
  expect((await readWith({ trigger: 'manual' })).reads).toEqual(byIndex('runs_trigger_idx'))
  expect((await readWith({ user_id })).reads).toEqual(byIndex('runs_user_idx'))
  expect((await readWith({ task_id })).reads).toEqual(byIndex('runs_task_idx'))
  expect((await readWith({ search: 'Task 77' })).reads).toEqual(byIndex('runs_pkey'))
  const from = '2026-11-10T00:00:00Z'
  const day = await readWith({ from, to: '2026-11-11T00:00:00Z' })
  expect(day.found).toBe(50)
  expect(day.reads).toEqual(byIndex('runs_pkey').add('Index Scan runs_queued_at_idx'))
})

test('filters that are combined with failures are checked in an index before a run is read', async () => {
  expect(await readWith({ ...failed, user_id })).toEqual({
    found: 12,
    reads: byIndex('runs_user_idx', 'runs_outcome_idx'),
  })
  expect((await readWith({ ...failed, task_id })).reads).toEqual(byIndex('runs_task_idx', 'runs_outcome_idx'))
  expect((await readWith({ ...failed, category: 'compiler' })).reads).toEqual(
    byIndex('runs_outcome_idx', 'runs_category_idx'),
  )
  expect((await readWith({ ...failed, trigger: 'manual' })).reads).toEqual(
    byIndex('runs_outcome_idx', 'runs_trigger_idx'),
  )
  expect((await readWith({ user_id, category: 'compiler', trigger: 'manual' })).reads).toEqual(
    byIndex('runs_user_idx', 'runs_category_idx', 'runs_trigger_idx'),
  )
})

test('combined filters find the runs that pass each of them', async () => {
  const { db } = database
  const options: Filters[][] = [
    [{}, { state: ['failed', 'error'] }],
    [{}, { user_id }],
    [{}, { task_id }],
    [{}, { category: 'compiler' }],
    [{}, { trigger: 'manual' }, { trigger: 'schedule' }],
  ]
  let combined: Filters[] = [{}]
  for (const some of options)
    combined = combined.flatMap((one) => some.map((other) => ({ ...one, ...other })))
  const all = await db
    .selectFrom('runs')
    .select(['id', 'state', 'triggered_by', 'task_id', 'category', 'trigger'])
    .orderBy('id', 'desc')
    .execute()
  for (const filters of combined) {
    const expected = all.filter(
      (run) =>
        (filters.state?.includes(run.state) ?? true) &&
        run.triggered_by === (filters.user_id ?? run.triggered_by) &&
        run.task_id === (filters.task_id ?? run.task_id) &&
        run.category === (filters.category ?? run.category) &&
        run.trigger === (filters.trigger ?? run.trigger),
    )
    const { runs, next } = await listRuns(db, { limit: 50, ...filters })
    const ids = expected.map(({ id }) => id).filter((id) => next === null || id >= next)
    expect(
      runs.map(({ id }) => id),
      JSON.stringify(filters),
    ).toEqual(ids)
  }
})
