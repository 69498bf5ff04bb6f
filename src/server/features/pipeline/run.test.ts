import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn()
})

const run = async () => {
  const reply = await ada.request('POST', '/api/pipeline/run')
  return [reply.statusCode, reply.json()]
}
const NONE = { started_count: 0, skipped_count: 0 }
const queued = () =>
  app.db.selectFrom('runs').select(['task_id', 'trigger', 'trigger_label']).orderBy('id').execute()

test('Run pipeline queues all active idle tasks of the three categories and returns the number of each', async () => {
  const { db } = app
  await aSourceTask(db)
  await aSourceTask(db, { is_active: false })
  await aConfig(db)
  const live = await aSyncTask(db)
  await aRun(db, live.id, { state: 'running' })
  await aSyncTask(db)
  await aSyncTask(db)

  const by_category = {
    source: { started_count: 1, skipped_count: 1 },
    compiler: { started_count: 1, skipped_count: 0 },
    sync: { started_count: 2, skipped_count: 1 },
  }
  const message = 'Queued 1 source task, 1 compile, 2 sync tasks. Skipped 2 (already running or inactive).'
  expect(await run()).toEqual([
    200,
    { status: 'success', message, started_count: 4, skipped_count: 2, by_category },
  ])
  const [line] = await db.selectFrom('audit_log').selectAll().where('object_type', '=', 'pipeline').execute()
  expect(line).toMatchObject({ actor: 'ada@example.com', action: 'run', details: by_category })
  expect((await queued()).slice(1)).toEqual(
    Array.from({ length: 4 }, () =>
      expect.objectContaining({ trigger: 'all', trigger_label: 'ada@example.com (Run pipeline)' }),
    ),
  )

  const idle = await run()
  expect(idle).toEqual([
    200,
    expect.objectContaining({ status: 'warning', message: taskServerMessages.nothing_to_start }),
  ])
})

test('dependencies order the runs across categories', async () => {
  const { db } = app
  const types = {
    copy: await aType(db, { category: 'sync' }),
    compile: await aType(db, { category: 'compiler', compiler_config_id: null }),
    pull: await aType(db, { category: 'source' }),
    after: await aType(db, { category: 'source' }),
  }
  const depends = (type: { id: number }, on: { id: number }) => ({
    task_type_id: type.id,
    depends_on_id: on.id,
    condition: 'success' as const,
    position: 0,
  })
  await db
    .insertInto('task_type_dependencies')
    .values([
      depends(types.after, types.copy),
      depends(types.copy, types.compile),
      depends(types.compile, types.pull),
    ])
    .execute()
  const after = await aSourceTask(db, { task_type_id: types.after.id })
  const copy = await aSyncTask(db, { task_type_id: types.copy.id })
  const compile = await aConfig(db, { task_type_id: types.compile.id })
  const pull = await aSourceTask(db, { task_type_id: types.pull.id })
  await run()
  expect((await queued()).map(({ task_id }) => task_id)).toEqual([
    pull.id,
    compile.task_id,
    copy.id,
    after.id,
  ])
})

test('tasks wait for the tasks whose rows they read, across types, and show it', async () => {
  const { db } = app
  const copyType = await aType(db)
  const source = await aSourceTask(db, { name: 'Supplier prices' })
  const config = await aConfig(db, { name: 'Merged' })
  await db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: source.id, position: 0, is_master: true })
    .execute()
  const copy = await aSyncTask(db, {
    task_type_id: copyType.id,
    definition: { source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id },
  })
  // Copies come before sources, by types that depend on nothing.
  await run()
  expect((await queued()).map(({ task_id }) => task_id)).toEqual([source.id, config.task_id, copy.id])
  await db
    .insertInto('workers')
    .values({ id: randomUUID(), name: 'One', categories: ['source', 'compiler', 'sync'] })
    .execute()
  const { live } = pipeline.read.reply.parse((await ada.request('GET', '/api/pipeline')).json())
  expect(live.map(({ task, waits_for }) => [task.name, waits_for])).toEqual([
    ['Supplier prices', { for: 'turn' }],
    ['Merged', { for: 'inputs', tasks: ['Supplier prices'], more: 0 }],
    [copy.name, { for: 'inputs', tasks: ['Merged'], more: 0 }],
  ])
})

test('Run pipeline without tasks is a warning; ten simultaneous calls start each task once', async () => {
  expect(await run()).toEqual([
    200,
    {
      status: 'warning',
      message: bulkMessages.no_tasks_available,
      ...NONE,
      by_category: { source: NONE, compiler: NONE, sync: NONE },
    },
  ])
  for (let n = 0; n < 5; n += 1) await Promise.all([aSourceTask(app.db), aConfig(app.db), aSyncTask(app.db)])
  await Promise.all(Array.from({ length: 10 }, run))
  expect(new Set((await queued()).map(({ task_id }) => task_id)).size).toBe(15)
  expect(await queued()).toHaveLength(15)
})
