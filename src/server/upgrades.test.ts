import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../test/fixtures/earlier-database.ts'
import { done, handlerOf, logOf, runOf, startEngine } from '../../test/fixtures/engine.ts'
import { takeJob } from './csv-jobs/jobs.ts'
import { migrate } from './platform/migrate.ts'
import type { Database } from './platform/schema.ts'

type Db = Kysely<Database>
type Live = { task_id: number; state: 'queued' | 'running' | 'stopping'; attempts?: number; begun?: boolean }

/**
 * Users, types and tasks of a database from before `tasks` had the fields of every category; tasks 1 to 5, the last
 * one a source.
 */
async function livedIn(db: Db): Promise<void> {
  await sql`insert into users (issuer, subject, email, name) values ('i', 'a', 'ada@example.com', 'Ada')`.execute(
    db,
  )
  await sql`insert into task_types (category, name, chunk_size, sort_order, max_retries) values
    ('sync', 'Prices', 500, 1, 3), ('sync', 'Stock', 2000, 2, 3), ('source', 'Origins', 1000, 1, 3)`.execute(
    db,
  )
  await sql`insert into task_type_dependencies (task_type_id, depends_on_id, condition, position)
    values (2, 1, 'success', 0)`.execute(db)
  await sql`insert into tasks (category, task_type_id, name, sort_order, account_user_id) values
    ('sync', 1, 'One', 1, 1), ('sync', 1, 'Two', 2, null), ('sync', 2, 'Three', 1, 1), ('sync', 2, 'Four', 2, 1),
    ('source', 3, 'Origin', 1, 1), ('source', null, 'Typeless', 1, 1)`.execute(db)
  await sql`insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name, chunk_size,
      scheduled_times, scheduled_since, relevant_user_accounts)
    select id, 'sheet', 'source-' || id, 'target-' || id, 'Shop', id * 100,
      case when id < 3 then array['04:00', '23:00'] else '{}' end, timestamptz '2026-01-02 03:04:05Z',
      case when id < 3 then array['ben@example.com', 'cleo@example.com'] else '{}' end
    from tasks where category = 'sync'`.execute(db)
}

/** A live run with its progress and a definition that the upgrade must not change. */
async function live(db: Db, { task_id, state, attempts = 1, begun = true }: Live): Promise<void> {
  const held = state !== 'queued'
  await sql`
    with run as (
      insert into runs (task_id, task_type_id, category, task_name, state, trigger, trigger_label, definition, exclusive_key,
        attempts, started_at, attempt_started_at, job_id, job_retry, worker, phase, rows_done, rows_total, checkpoint,
        warnings, wait, not_before, stop_asked_by)
      select id, task_type_id, category, name, ${state}, 'manual', 'ada@example.com', '{"chunk_size": 100}', 'key ' || id,
        ${attempts}, now(), case when ${begun}::boolean then now() end,
        case when ${held}::boolean then gen_random_uuid() end, case when ${held && begun}::boolean then 0 end,
        case when ${held}::boolean then 'gone:1' end, 'Writing', 7, 9, '{"at": 7}', '[{"id": "w", "message": "Look"}]',
        '{"for": "quota"}', now() + case when ${held}::boolean then interval '0' else interval '1 hour' end,
        case when ${state} = 'stopping' then 'ben@example.com' end
      from tasks where id = ${task_id} returning id, task_id
    )
    update tasks set last_run_id = run.id from run where tasks.id = run.task_id`.execute(db)
}

test('0013: warnings of live runs are moved out of their checkpoint', async () => {
  const { db, upgrade } = await databaseBefore(13)
  await livedIn(db)
  const states = ['queued', 'running', 'stopping', 'warning', 'success', 'failed']
  for (const [index, state] of states.entries())
    await sql`insert into runs (task_id, category, task_name, state, trigger, definition, checkpoint) values
      (${index + 1}, 'sync', 'x', ${state}, 'manual', '{}', '{"at": 7, "concerns": ["A9 is #N/A", "B2 is mixed"]}')`.execute(
      db,
    )
  await sql`insert into runs (task_id, category, task_name, state, trigger, definition, checkpoint) values
    (1, 'sync', 'none', 'warning', 'manual', '{}', '{"concerns": []}'),
    (1, 'sync', 'none', 'warning', 'manual', '{}', null)`.execute(db)
  await upgrade()
  const { rows } = await sql<{ task_name: string; state: string; messages: string[]; ids: number }>`
    select task_name, state, jsonb_path_query_array(warnings, '$[*].message') as messages,
      (select count(distinct warning ->> 'id')::int from jsonb_array_elements(warnings) as warning) as ids
    from runs order by id`.execute(db)
  const messages = ['A9 is #N/A', 'B2 is mixed']
  expect(rows.slice(0, 4)).toEqual(
    states.slice(0, 4).map((state) => ({ task_name: 'x', state, messages, ids: 2 })),
  )
  expect(rows.slice(4).map((run) => run.messages)).toEqual([[], [], [], []])
})

test('0020: runs keep their redelivery count, and live ones continue', async () => {
  const { db, upgrade } = await databaseBefore(20)
  await livedIn(db)
  await live(db, { task_id: 1, state: 'running' })
  await live(db, { task_id: 2, state: 'queued' })
  await sql`update runs set takeovers = task_id`.execute(db)
  const { rows: before } =
    await sql`select to_jsonb(runs) - 'takeovers' as run from runs order by id`.execute(db)
  await upgrade()
  const { rows } = await sql<{ run: unknown; redeliveries: number }>`
    select to_jsonb(runs) - 'redeliveries' as run, redeliveries from runs order by id`.execute(db)
  expect(rows.map(({ redeliveries }) => redeliveries)).toEqual([1, 2])
  expect(rows.map(({ run }) => ({ run }))).toEqual(before)
})

test('0021: each type gets the length of its dependency chain, also with a stored cycle', async () => {
  const { db, upgrade } = await databaseBefore(21)
  await livedIn(db)
  await sql`insert into task_types (category, name, chunk_size) values
    ('sync', 'Both', 1), ('sync', 'Round', 1), ('sync', 'About', 1)`.execute(db)
  // Both waits for Stock, which waits for Prices, and for Prices itself; Round and About wait for each other.
  await sql`insert into task_type_dependencies (task_type_id, depends_on_id, condition, position) values
    (4, 1, 'success', 0), (4, 2, 'completion', 1), (5, 6, 'success', 0), (6, 5, 'success', 0)`.execute(db)
  await upgrade()
  const { rows } = await sql`
    select name, depth from task_type_depth join task_types on id = task_type_id order by id`.execute(db)
  expect(rows).toEqual([
    { name: 'Prices', depth: 0 },
    { name: 'Stock', depth: 1 },
    { name: 'Origins', depth: 0 },
    { name: 'Both', depth: 2 },
    { name: 'Round', depth: 100 },
    { name: 'About', depth: 100 },
  ])
})

test('0024: tasks keep their chunk sizes, times, accounts and due occurrences', async () => {
  const { db, upgrade } = await databaseBefore(24)
  await livedIn(db)
  const { rows: before } = await sql`select * from task_schedules order by task_id`.execute(db)
  expect(before).toHaveLength(2)
  await upgrade()
  const tasks = await db
    .selectFrom('tasks')
    .select(['name', 'chunk_size', 'scheduled_times', 'relevant_user_accounts', 'account_user_id'])
    .orderBy('id')
    .execute()
  const nothing = { scheduled_times: [], relevant_user_accounts: [], account_user_id: 1 }
  const shared = {
    scheduled_times: ['04:00', '23:00'],
    relevant_user_accounts: ['ben@example.com', 'cleo@example.com'],
  }
  expect(tasks).toEqual([
    { name: 'One', chunk_size: 100, ...shared, account_user_id: 1 },
    { name: 'Two', chunk_size: 200, ...shared, account_user_id: null },
    { name: 'Three', chunk_size: 300, ...nothing },
    { name: 'Four', chunk_size: 400, ...nothing },
    // A type's, and the smallest without a type.
    { name: 'Origin', chunk_size: 1000, ...nothing },
    { name: 'Typeless', chunk_size: 1, ...nothing },
  ])
  expect((await sql`select * from task_schedules order by task_id`.execute(db)).rows).toEqual(before)
  const since = async () =>
    (
      await db
        .selectFrom('tasks')
        .select('scheduled_since')
        .where('name', '=', 'One')
        .executeTakeFirstOrThrow()
    ).scheduled_since
  expect(await since()).toEqual(new Date('2026-01-02T03:04:05Z'))
  await db
    .updateTable('tasks')
    .set({ scheduled_times: ['05:00'] })
    .where('name', '=', 'One')
    .execute()
  expect(await since()).not.toEqual(new Date('2026-01-02T03:04:05Z'))
})

test('0024: a running run is queued again without counting an attempt, and succeeds on the new version', async () => {
  const { db, url, upgrade } = await databaseBefore(24)
  await livedIn(db)
  await live(db, { task_id: 1, state: 'running' })
  // Admitted for its second attempt, and not leased yet.
  await live(db, { task_id: 2, state: 'running', begun: false })
  await live(db, { task_id: 3, state: 'stopping' })
  await live(db, { task_id: 4, state: 'queued' })
  const waiting = () => sql`select to_jsonb(runs) as run from runs where task_id = 4`.execute(db)
  const before = await waiting()
  await upgrade()
  const runs = await db
    .selectFrom('runs')
    .select(['state', 'attempts', 'attempt_started_at', 'job_id', 'worker', 'checkpoint', 'rows_done'])
    .select(['definition', 'exclusive_key', 'warnings', 'phase', 'wait'])
    .where('task_id', '<', 3)
    .orderBy('task_id')
    .execute()
  const anew = {
    ...{
      state: 'queued',
      attempt_started_at: null,
      job_id: null,
      worker: null,
      checkpoint: null,
      rows_done: 0,
    },
    ...{ definition: { chunk_size: 100 }, warnings: [], phase: '', wait: null },
  }
  expect(runs).toEqual([
    { ...anew, attempts: 0, exclusive_key: 'key 1' },
    { ...anew, attempts: 1, exclusive_key: 'key 2' },
  ])
  expect((await runOf(db, 3, ['stopped'])).finished_at).not.toBeNull()
  expect(await waiting()).toEqual(before)
  expect(await logOf(db, 1)).toEqual(['INFO Rowferry was upgraded; the run is queued again.'])
  expect(await logOf(db, 3)).toEqual(['WARNING Stopped by ben@example.com'])
  expect(await logOf(db, 4)).toEqual([])

  await migrate({ url })
  await startEngine({ db, url }, [handlerOf(async () => done)])
  expect(await runOf(db, 1)).toMatchObject({ state: 'success', attempts: 1 })
  expect(await runOf(db, 2)).toMatchObject({ state: 'success', attempts: 2 })
})

test('0025: each compiler configuration becomes a task with the same data and id', async () => {
  const { db, url, upgrade } = await databaseBefore(25)
  await sql`insert into compiler_configs (id, name, description, is_active, created_at, updated_at)
    overriding system value values
    (3, 'Shop', 'Of all suppliers', true, '2026-01-02Z', '2026-03-04Z'), (7, 'Archive', '', false, '2025-01-02Z', '2025-03-04Z'),
    (9, 'Unused', '', true, '2025-01-02Z', '2025-03-04Z')`.execute(db)
  await sql`insert into task_types (category, name, chunk_size, cron_schedule, compiler_config_id) values
    ('compiler', 'Nightly', 700, '0 2 * * *', 3), ('compiler', 'Twice', 1, null, 3), ('sync', 'Prices', 500, null, 7)`.execute(
    db,
  )
  await sql`insert into tasks (category, task_type_id, name, sort_order) values ('sync', 3, 'Shop', 1)`.execute(
    db,
  )
  await sql`insert into sync_tasks (task_id, source_type, source_compiler_config_id, target_ss_id, target_sheet_name)
    values (1, 'internal', 7, 'target', 'Shop')`.execute(db)

  await upgrade()
  await migrate({ url })

  const { rows } = await sql`
    select c.id, c.description, t.category, t.name, t.is_active, t.chunk_size, t.created_at, t.updated_at, y.name as type
    from compiler_configs c join tasks t on t.id = c.task_id left join task_types y on y.id = t.task_type_id
    order by c.id`.execute(db)
  const old = { description: '', category: 'compiler', chunk_size: 1, type: null }
  const dates = { created_at: new Date('2025-01-02Z'), updated_at: new Date('2025-03-04Z') }
  expect(rows).toEqual([
    {
      ...{ id: 3, description: 'Of all suppliers', category: 'compiler', name: 'Shop', is_active: true },
      ...{
        chunk_size: 700,
        created_at: new Date('2026-01-02Z'),
        updated_at: new Date('2026-03-04Z'),
        type: 'Nightly',
      },
    },
    { ...old, id: 7, name: 'Archive', is_active: false, ...dates },
    { ...old, id: 9, name: 'Unused', is_active: true, ...dates },
  ])
  const types = await db
    .selectFrom('task_types')
    .select(['name', 'compiler_config_id'])
    .orderBy('id')
    .execute()
  expect(types).toEqual([
    { name: 'Nightly', compiler_config_id: 3 },
    { name: 'Twice', compiler_config_id: null },
    { name: 'Prices', compiler_config_id: null },
  ])
  // The task that copies its records still does.
  const { source_compiler_config_id } = await db
    .selectFrom('sync_tasks')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(source_compiler_config_id).toBe(7)
  expect((await sql`select schedule, cron from task_schedules`.execute(db)).rows).toEqual([
    { schedule: 'type', cron: '0 2 * * *' },
  ])
})

test('0026: CSV jobs of dead processes are failed; those of live processes continue, and no worker takes them', async () => {
  const { db, url, upgrade } = await databaseBefore(26)
  await sql`insert into csv_jobs (type, kind, status, filename, actor, summary) values
    ('sync_task', 'import', 'completed', 'done.csv', 'a', '{"created": 1}'),
    ('sync_task', 'import', 'running', 'lost.csv', 'a', '{"created": 1}'),
    ('sync_task', 'import', 'running', 'alive.csv', 'a', '{"created": 1}')`.execute(db)
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7269342, 3)`.execute(trx)
    await upgrade()
  })
  const { rows } =
    await sql`select filename, status, error is null as well, summary from csv_jobs order by id`.execute(db)
  expect(rows).toEqual([
    { filename: 'done.csv', status: 'completed', well: true, summary: { created: 1 } },
    { filename: 'lost.csv', status: 'failed', well: false, summary: {} },
    { filename: 'alive.csv', status: 'running', well: true, summary: { created: 1 } },
  ])
  await migrate({ url })
  expect(await takeJob(db, 'import', 'sync_task')).toBeNull()
})

test('0028: an older configuration has no sources and accepts only older source tasks', async () => {
  const { db, upgrade } = await databaseBefore(28)
  await sql`insert into tasks (category, name, sort_order) values
    ('source', 'Origin', 1), ('compiler', 'Shop', 1)`.execute(db)
  await sql`insert into compiler_configs (task_id) select id from tasks where name = 'Shop'`.execute(db)
  await upgrade()
  expect(await db.selectFrom('compiler_sources').selectAll().execute()).toEqual([])
  const add = (name: string) =>
    sql`
    insert into compiler_sources (compiler_config_id, source_task_id, position, is_master)
    select c.id, t.id, 0, false from compiler_configs c, tasks t where t.name = ${name}`.execute(db)
  await add('Origin')
  await expect(add('Shop')).rejects.toMatchObject({ constraint: 'compiler_sources_task_fkey' })
})

test('0148: the last run of each task gets its cause if it did not end well', async () => {
  const { db, upgrade } = await databaseBefore(148)
  await sql`insert into tasks (category, name, sort_order) values ('sync', 'One', 1), ('sync', 'Two', 2)`.execute(
    db,
  )
  await sql`insert into runs (task_id, category, task_name, trigger, definition, state, error) values
    (1, 'sync', 'One', 'manual', '{}', 'failed', 'Row 1 is gone.'), (1, 'sync', 'One', 'manual', '{}', 'failed', 'Row 2 is gone.'),
    (2, 'sync', 'Two', 'manual', '{}', 'success', 'Of an attempt.')`.execute(db)
  await sql`update tasks t set last_run_id = (select max(id) from runs r where r.task_id = t.id)`.execute(db)
  await upgrade()
  const { rows } =
    await sql`select cause, failure_cause('failed', 'Row 3 is gone.') as same from runs order by id`.execute(
      db,
    )
  const same = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(rows).toEqual([
    { cause: null, same },
    { cause: Object(rows[0]).same, same },
    { cause: null, same },
  ])
})
