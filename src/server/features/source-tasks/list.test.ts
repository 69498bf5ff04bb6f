import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import {
  aConnectedUser,
  aCopy,
  aRun,
  aSourceTask,
  aSyncTask,
  aType,
} from '../../../../test/fixtures/factories.ts'
import { planningDb } from '../../../../test/fixtures/plans.ts'
import type { QueryOf } from '../../../contract/calls.ts'
import { sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { listSourceTasks, readSourceTask, readSourceTaskDetail, readSourceTasks } from './queries/tasks.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})

const zone = 'America/New_York'
const sourceType = (fields: object = {}) => aType(database.db, { category: 'source', ...fields })

/** As the call answers it: what the reply does not declare would be an error. */
const list = async (query: QueryOf<typeof sourceTasks.list> = {}) =>
  sourceTasks.list.reply.parse(await listSourceTasks(database.db, query, zone))
const read = (id: number) => readSourceTask(database.db, id, zone)

test('tasks are listed by their type’s order and name, then their own order and id; those without a type last', async () => {
  const { db } = database
  const last = await sourceType({ name: 'A last', sort_order: 9 })
  const second = await sourceType({ name: 'Second', sort_order: 1 })
  const first = await sourceType({ name: 'First', sort_order: 1 })
  await aSourceTask(db, { name: 'g', sort_order: 2 })
  await aSourceTask(db, { name: 'f', sort_order: 1 })
  await aSourceTask(db, { name: 'e', task_type_id: last.id })
  await aSourceTask(db, { name: 'd', task_type_id: second.id })
  await aSourceTask(db, { name: 'c', task_type_id: first.id, sort_order: 8 })
  await aSourceTask(db, { name: 'a', task_type_id: first.id, sort_order: 7 })
  await aSourceTask(db, { name: 'b', task_type_id: first.id, sort_order: 7 })
  await aSyncTask(db)
  const tasks = await list()
  expect(tasks.map(({ name }) => name).join('')).toBe('abcdefg')
  expect(tasks.map(({ position_actions: at }) => [at.current_position, at.total_tasks_of_type])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
    [1, 1],
    [1, 1],
    [1, 2],
    [2, 2],
  ])
  const [beside] = await readSourceTasks(db, [tasks[6]?.id ?? 0], zone)
  expect(beside?.position_actions).toMatchObject({ current_position: 2, can_move_down: false })
})

test('the list is narrowed down by type, source type, status, activity, and a name or number', async () => {
  const { db } = database
  const type = await sourceType()
  const typed = await aSourceTask(db, { name: 'Prices 100%', task_type_id: type.id })
  const api = await aSourceTask(db, { name: 'Stock_1', definition: { source_type: 'api' }, is_active: false })
  const failed = await aSourceTask(db, { name: 'Stocks21' })
  await aRun(db, failed.id, { category: 'source', state: 'failed' })
  const named = async (query: QueryOf<typeof sourceTasks.list>) => (await list(query)).map(({ id }) => id)
  expect(await named({ source_task_type_id: type.id })).toEqual([typed.id])
  expect(await named({ source_type: 'api' })).toEqual([api.id])
  expect(await named({ is_active: 'false' })).toEqual([api.id])
  expect(await named({ running_status: 'failed' })).toEqual([failed.id])
  expect(await named({ running_status: 'new', source_type: 'sheet' })).toEqual([typed.id])
  expect(await named({ search: ' STOCK' })).toEqual([api.id, failed.id])
  // Neither is a pattern.
  expect(await named({ search: 'k_1' })).toEqual([api.id])
  expect(await named({ search: '0%' })).toEqual([typed.id])
  expect(await named({ search: String(failed.id) })).toContain(failed.id)
  expect(await named({ search: 'nothing like it' })).toEqual([])
})

test('states have the names for source tasks, and email_sent after the failure mail was sent', async () => {
  const { db } = database
  const words = {
    queued: 'pending',
    running: 'running',
    stopping: 'running',
    stopped: 'stopped',
    success: 'completed',
    warning: 'completed',
    failed: 'failed',
    error: 'failed',
  } as const
  for (const state of Object.keys(words) as (keyof typeof words)[]) {
    const { id } = await aSourceTask(db)
    await aRun(db, id, { category: 'source', state })
    expect(await read(id), state).toMatchObject({
      running_status: words[state],
      is_running: state === 'running' || state === 'stopping',
    })
  }
  const { id } = await aSourceTask(db)
  await aRun(db, id, { category: 'source', state: 'failed', mailed_at: new Date() })
  expect(await read(id)).toMatchObject({ running_status: 'email_sent' })
})

test('a task shows its last run and its error; a later success clears the error', async () => {
  const { db } = database
  const { id } = await aSourceTask(db)
  const started_at = new Date('2026-05-01T02:00:00.000Z')
  const failure = { category: 'source', started_at, error: 'The origin is gone' } as const
  await aRun(db, id, { ...failure, state: 'failed', attempts: 3 })
  expect(await read(id)).toMatchObject({
    last_run_time: '2026-05-01T02:00:00.000Z',
    last_error: 'The origin is gone',
    retry_count: 2,
  })
  await aRun(db, id, { ...failure, state: 'success', attempts: 2 })
  expect(await read(id)).toMatchObject({ last_error: null })
})

test('a task shows its next run by its type’s cron; an inactive task has none', async () => {
  const { db } = database
  const type = await sourceType({ cron_schedule: '0 2 * * *' })
  const scheduled = await aSourceTask(db, { task_type_id: type.id })
  const resting = await aSourceTask(db, { task_type_id: type.id, is_active: false })
  expect((await read(scheduled.id)).next_run_time).toMatch(/T0[67]:00:00\.000Z$/)
  expect((await read(resting.id)).next_run_time).toBeNull()
  await db
    .updateTable('run_all_schedules')
    .set({ scheduled_times: ['01:00'] })
    .where('category', '=', 'source')
    .execute()
  const untyped = await aSourceTask(db)
  expect((await read(untyped.id)).next_run_time).toMatch(/T0[56]:00:00\.000Z$/)
})

test('a task shows its number of rows, when they were read and last changed, and the rows that need approval with the reasons', async () => {
  const { db } = database
  const { id } = await aSourceTask(db, {
    definition: { pulled_at: new Date(2_000), changed_at: new Date(1_000) },
  })
  await aCopy(db, id, ['SKU'], [['a'], ['b']])
  const run = await aRun(db, id, {
    category: 'source',
    state: 'warning',
    warnings: JSON.stringify([
      { id: 'held_back-0000', message: '1 row instead of 2' },
      { id: 'other-0000', message: 'Something else' },
    ]),
  })
  const waiting = await db
    .insertInto('snapshots')
    .values({ task_id: id, run_id: run.id, kind: 'source', row_count: 1, completed_at: new Date(3_000) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('tasks').set({ waiting_snapshot_id: waiting.id }).where('id', '=', id).execute()
  expect(await read(id)).toMatchObject({
    row_count: 2,
    pulled_at: '1970-01-01T00:00:02.000Z',
    changed_at: '1970-01-01T00:00:01.000Z',
    waiting: {
      snapshot_id: waiting.id,
      row_count: 1,
      fetched_at: '1970-01-01T00:00:03.000Z',
      reasons: ['1 row instead of 2'],
    },
  })
})

test('the run account is shown only for sheets', async () => {
  const { db } = database
  const { user_id, email } = await aConnectedUser(db)
  const sheet = await aSourceTask(db, { account_user_id: user_id })
  const api = await aSourceTask(db, { account_user_id: user_id, definition: { source_type: 'api' } })
  expect(await read(sheet.id)).toMatchObject({ account: { user_id, email, is_usable: true } })
  expect(await read(api.id)).toMatchObject({ account: null })
})

test('a single task includes its newest 400 log lines and the receipt of its last successful run', async () => {
  const { db } = database
  const { id } = await aSourceTask(db)
  const receipt = {
    rows: 2,
    columns: 1,
    requests: 3,
    is_changed: true,
    hash: 'ab',
    duration_ms: 5,
    account: '',
  }
  await aRun(db, id, { category: 'source', state: 'success', receipt: JSON.stringify(receipt) })
  await sql`insert into log_entries (task_id, level, message)
    select ${id}, 'INFO', 'Line ' || n from generate_series(1, 450) n`.execute(db)
  const detail = sourceTasks.get.reply.parse(await readSourceTaskDetail(db, id, zone))
  expect(detail).toMatchObject({ receipt, latest_log: { message: 'Line 450' } })
  expect(detail.logs).toHaveLength(400)
})

describe('ten thousand tasks', () => {
  /** Of fifty types with different crons, each task with a run and a log line. */
  const fill = async (tasks: number) => {
    const { db } = database
    for (let n = 0; n < 50; n += 1) await sourceType({ name: `Type ${n}`, cron_schedule: `${n} 2 * * *` })
    await sql`insert into tasks (category, task_type_id, name, sort_order)
      select 'source', y.id, 'Task ' || n, n from generate_series(1, ${tasks}::int) n
      join (select id, row_number() over (order by id) as place from task_types) y on y.place = n % 50 + 1`.execute(
      db,
    )
    await sql`insert into source_tasks (task_id, source_type) select id, 'api' from tasks`.execute(db)
    await sql`with ran as (
        insert into runs (task_id, category, task_name, trigger, definition, state)
        select id, 'source', name, 'manual', '{}', 'success' from tasks returning id, task_id
      ) update tasks set last_run_id = ran.id from ran where tasks.id = ran.task_id`.execute(db)
    await sql`insert into log_entries (task_id, level, message) select id, 'INFO', 'A line' from tasks`.execute(
      db,
    )
    await sql`analyze`.execute(db)
  }

  test('need as many statements as one task, and one cron evaluation per schedule', async () => {
    await fill(10_000)
    const statements: string[] = []
    const planning = planningDb(database.url, /select/, ({ text }) => statements.push(text))
    await listSourceTasks(planning, {}, zone)
    const ofAll = statements.splice(0).length
    await listSourceTasks(planning, { search: 'Task 77' }, zone)
    await planning.destroy()
    expect(statements).toHaveLength(ofAll)
    expect(ofAll).toBe(3)
    const rows: number[] = []
    const counting = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows.push(result.rows.length)
        return result
      },
    })
    const tasks = await listSourceTasks(counting, {}, zone)
    expect(tasks).toHaveLength(10_000)
    expect(tasks[0]?.next_run_time).toMatch(/Z$/)
    // One evaluation per row of schedules; the types have fifty.
    expect(rows.toSorted((one, other) => one - other)).toEqual([50, 10_000, 10_000])
  })
})
