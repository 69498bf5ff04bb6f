import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { aConnection, aSourceTaskBody, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { sourceServerMessages } from '../../../contract/source-tasks/server-messages.ts'

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

test('an api or database task needs a connection of its kind; anything else is 422', async () => {
  const [api, database] = [
    await aConnection(app, { name: 'Shop_API' }),
    await aConnection(app, { name: 'warehouse', kind: 'database' }),
  ]
  const added = [
    await tasks.add({ source_type: 'api', source_identifier: 'Shop_API' }),
    await tasks.add({ source_type: 'database', source_identifier: 'warehouse' }),
  ]
  expect(added).toMatchObject([
    { source_identifier: 'Shop_API', spreadsheet_id: '', sheet_name: '', account: null, warnings: [] },
    { source_identifier: 'warehouse', warnings: [] },
  ])
  const stored = await app.db
    .selectFrom('source_tasks')
    .select('connection_id')
    .where(
      'task_id',
      'in',
      added.map(({ id }) => id),
    )
    .orderBy('task_id')
    .execute()
  expect(stored).toEqual([{ connection_id: api.id }, { connection_id: database.id }])
  const wrong: ['api' | 'database', string][] = [
    ['api', 'warehouse'],
    ['database', 'Shop_API'],
    ['api', 'shop_api'],
    ['database', 'task-1'],
  ]
  for (const [source_type, source_identifier] of wrong)
    expect(await tasks.post(aSourceTaskBody({ source_type, source_identifier }))).toMatchObject([
      422,
      {
        field: 'source_identifier',
        message: sourceServerMessages.connection_gone(source_type, source_identifier),
      },
    ])
})

test('an internal task names an existing source task or configuration and shows its name', async () => {
  const origin = await aSourceTask(app.db)
  const config = await aConfig(app.db)
  const sync = await aSyncTask(app.db)
  const { name } = await app.db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', config.task_id)
    .executeTakeFirstOrThrow()
  for (const [source_identifier, origin_name] of [
    [`task-${origin.id}`, origin.name],
    [`config-${config.id}`, name],
  ])
    expect(await tasks.add({ source_type: 'internal', source_identifier })).toMatchObject({
      source_identifier,
      origin_name,
      warnings: [],
    })
  for (const source_identifier of [
    `task-${sync.id}`,
    `task-${config.task_id}`,
    'task-999999999',
    'config-999999999',
  ])
    expect(await tasks.post(aSourceTaskBody({ source_type: 'internal', source_identifier }))).toMatchObject([
      422,
      { field: 'source_identifier', message: sourceServerMessages.origin_gone(source_identifier) },
    ])
  for (const source_identifier of ['prices', 'task-0', 'task-01', 'config-', 'task-99999999999', 'Task-1'])
    expect(await tasks.post(aSourceTaskBody({ source_type: 'internal', source_identifier }))).toMatchObject([
      422,
      { field: 'source_identifier', message: sourceServerMessages.origin_form },
    ])
})

test.each([
  ['api', sourceMessages.connection_required],
  ['database', sourceMessages.connection_required],
  ['internal', sourceMessages.origin_required],
] as const)(
  'a task of type %s that names no source is refused, new or edited, and nothing is stored',
  async (source_type, message) => {
    const refusal = [400, { field: 'source_identifier', message }]
    expect(await tasks.post(aSourceTaskBody({ name: `No ${source_type}`, source_type }))).toMatchObject(
      refusal,
    )
    expect((await tasks.list()).filter(({ name }) => name === `No ${source_type}`)).toEqual([])
    const sheet = await tasks.add()
    expect(await tasks.put(sheet.id, { source_type, source_identifier: '' })).toMatchObject(refusal)
    expect(await tasks.get(sheet.id)).toMatchObject({
      source_type: 'sheet',
      spreadsheet_id: sheet.spreadsheet_id,
    })
  },
)

test('a task stored without a source by an earlier version can be edited, but not switched to another type without a source', async () => {
  const { id } = await aSourceTask(app.db, { definition: { source_type: 'api' } })
  const task = await tasks.get(id)
  expect((await tasks.change(id, { ...task, description: 'Old' })).description).toBe('Old')
  expect(await tasks.put(id, { source_type: 'database' })).toMatchObject([
    400,
    { field: 'source_identifier', message: sourceMessages.connection_required },
  ])
})
