import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { lockWaits, type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import { done, handlerOf, runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aCopy, aRun, aSyncTask, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { queueRun } from '../../../../test/fixtures/run-requests.ts'
import { deleteTask } from '../../tasks/edit/delete-task.ts'
import { readDataPage } from '../../tasks/run/stored-rows.ts'
import { deleteTaskType } from '../task-types/commands/delete.ts'
import { readTaskTypes } from '../task-types/queries.ts'

let database: TestDatabase
let db: TestDatabase['db']
let ada: { id: number; email: string }

beforeAll(async () => {
  database = await testDatabase()
  db = database.db
  ada = await aUser(db)
})

const typeOf = (compiler_config_id: number) => aType(db, { category: 'compiler', compiler_config_id })

const typeOfTask = async (id: number) =>
  (await db.selectFrom('tasks').select('task_type_id').where('id', '=', id).executeTakeFirst())?.task_type_id

test('a configuration is the task of the type that names it, and changes with the type', async () => {
  const [first, second] = [await aConfig(db), await aConfig(db)]
  const type = await typeOf(first.id)
  expect(await typeOfTask(first.task_id)).toBe(type.id)
  await db
    .updateTable('task_types')
    .set({ compiler_config_id: second.id })
    .where('id', '=', type.id)
    .execute()
  expect([await typeOfTask(first.task_id), await typeOfTask(second.task_id)]).toEqual([null, type.id])
})

test('a configuration has at most one type, also with two concurrent requests', async () => {
  const config = await aConfig(db)
  const results = await Promise.allSettled([typeOf(config.id), typeOf(config.id)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { constraint: 'task_types_compiler_config_key' },
  })
  await expect(aType(db, { category: 'sync', compiler_config_id: config.id })).rejects.toMatchObject({
    constraint: 'task_types_compiler_config_check',
  })
})

test('a configuration does not count among the tasks of its type, and is detached when that is deleted', async () => {
  const config = await aConfig(db)
  const type = await typeOf(config.id)
  const listed = (await readTaskTypes(db, { category: 'compiler' }, { zone: 'UTC' })).find(
    ({ id }) => id === type.id,
  )
  expect(listed).toMatchObject({ tasks_count: 0 })
  await deleteTaskType(db, ada, { category: 'compiler', id: type.id })
  expect(await typeOfTask(config.task_id)).toBeNull()
  await typeOf(config.id)
})

test('its type is deleted while a run of it is queued: each waits for the other, and none fails', async () => {
  const handlers = [handlerOf(async () => done, { category: 'compiler' })]
  await startEngine(database, handlers)
  for (let round = 0; round < 5; round += 1) {
    const config = await aConfig(db)
    const type = await typeOf(config.id)
    await Promise.all([
      queueRun(db, handlers, config.task_id),
      deleteTaskType(db, ada, { category: 'compiler', id: type.id }),
    ])
    expect(await runOf(db, config.task_id)).toMatchObject({ state: 'success', category: 'compiler' })
  }
})

test('its type is deleted while a run of it ends: the deletion waits, and neither fails', async () => {
  const config = await aConfig(db)
  const type = await typeOf(config.id)
  const run = await aRun(db, config.task_id, {
    category: 'compiler',
    state: 'running',
    task_type_id: type.id,
  })
  const ending = await db.startTransaction().execute()
  await ending.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
  const deleted = deleteTaskType(db, ada, { category: 'compiler', id: type.id })
  await expect.poll(() => lockWaits(db)).toBe(1)
  await ending
    .updateTable('tasks')
    .set({ last_success_run_id: run.id })
    .where('id', '=', config.task_id)
    .execute()
  await ending.commit().execute()
  await deleted
  const { task_type_id } = await db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  expect(task_type_id).toBeNull()
})

test('a configuration that tasks copy from, or that has a type, is not deleted', async () => {
  const [copied, typed, free] = [await aConfig(db), await aConfig(db), await aConfig(db)]
  await aSyncTask(db, {
    definition: { source_type: 'internal', source_ss_id: '', source_compiler_config_id: copied.id },
  })
  await typeOf(typed.id)
  const remove = (id: number) => deleteTask(db, ada, 'compiler', id)
  await expect(remove(copied.task_id)).rejects.toMatchObject({ code: 'config_in_use' })
  await expect(remove(typed.task_id)).rejects.toMatchObject({ code: 'config_in_use' })
  await remove(free.task_id)
  const left = await db.selectFrom('compiler_configs').select('id').where('id', '=', free.id).execute()
  expect(left).toEqual([])
})

test('names of configurations are unique across types', async () => {
  const { id, name } = await aConfig(db)
  await typeOf(id)
  await expect(aConfig(db, { name })).rejects.toMatchObject({ constraint: 'compiler_configs_name_key' })
  await aSyncTask(db, { name })
})

test('current rows of a configuration are read like those of any other task, and its runs have a task', async () => {
  const { task_id } = await aConfig(db)
  await aRun(db, task_id, { category: 'compiler', state: 'success' })
  const { id: version } = await aCopy(db, task_id, ['SKU', 'Name'], [['007', 'Bolt']])
  const page = { offset: 0, limit: 1, order: 'asc' } as const
  const task = { category: 'compiler', id: task_id } as const
  expect(await readDataPage(db, task, page, new AbortController().signal)).toEqual({
    version,
    data: [{ SKU: '007', Name: 'Bolt' }],
    cell_formats: {},
    found: null,
  })
  const { rows } =
    await sql`select category from runs join tasks using (category) where tasks.id = ${task_id} and task_id = tasks.id`.execute(
      db,
    )
  expect(rows).toEqual([{ category: 'compiler' }])
})
