import { beforeAll, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSourceTask, aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { aConnection, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { sourceServerMessages } from '../../../contract/source-tasks/server-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

let app: TestApp
let ada: SignedIn
let tasks: ReturnType<typeof sourceTasksOf>
let others: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  tasks = sourceTasksOf(ada)
  others = sourceTasksOf(await app.signIn('bob@example.com'))
})

const storedOf = (id: number) =>
  app.db.selectFrom('source_tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
const accountOf = async (id: number) => {
  const { account_user_id } = await app.db
    .selectFrom('tasks')
    .select('account_user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { email } = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', account_user_id ?? 0)
    .executeTakeFirstOrThrow()
  return email
}

/** A task that reads the rows of another one. */
const reading = async () =>
  tasks.add({ source_type: 'internal', source_identifier: `task-${(await tasks.add()).id}` })

test('PUT changes the sent fields; omitted fields keep their value', async () => {
  const before = await tasks.add({ description: 'Old', chunk_size: 5 })
  const { updated_at, warnings: _, ...after } = await tasks.change(before.id, { description: 'New' })
  const { updated_at: earlier, warnings: __, ...rest } = before
  expect(after).toEqual({ ...rest, description: 'New' })
  expect(updated_at > earlier).toBe(true)
})

test('PUT accepts a task as it was read', async () => {
  const before = await tasks.get((await tasks.add()).id)
  const after = await tasks.change(before.id, before)
  expect(after).toMatchObject({ name: before.name, spreadsheet_id: before.spreadsheet_id })
})

test('an edit of a changed task is refused with 409; without updated_at there is no conflict', async () => {
  const { id, updated_at } = await tasks.add()
  await others.change(id, { description: 'Bob was first' })
  expect(await tasks.put(id, { description: 'Mine', updated_at })).toMatchObject([
    409,
    { code: 'stale_update' },
  ])
  expect(await tasks.get(id)).toMatchObject({ description: 'Bob was first' })
  expect(await tasks.change(id, { description: 'Mine' })).toMatchObject({ description: 'Mine' })
})

test('of two concurrent edits one is refused because the task has changed', async () => {
  const { id, updated_at } = await tasks.add()
  const replies = await Promise.all([
    tasks.put(id, { chunk_size: 2, updated_at }),
    others.put(id, { chunk_size: 3, updated_at }),
  ])
  expect(replies.map(([status]) => status).sort()).toEqual([200, 409])
})

test('a task is not edited while a run of it is live', async () => {
  const { id } = await tasks.add()
  await aRun(app.db, id, { category: 'source', state: 'running' })
  expect(await tasks.put(id, { name: 'Other' })).toMatchObject([409, { message: taskMessages.live_edit }])
})

test('an unknown task or one of another category is 404 for each call', async () => {
  const compiled = await app.db
    .insertInto('tasks')
    .values({ category: 'compiler', name: 'No source task', sort_order: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const other of [compiled.id, 2_147_483_647]) {
    const path = `/api/source_tasks/${other}`
    const calls: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object][] = [
      ['GET', path],
      ['PUT', path, { name: 'Other' }],
      ['DELETE', path],
      ['POST', `/api/source_tasks/stop/${other}`],
      ['POST', `${path}/use_my_account`, { updated_at: '2026-01-01T00:00:00.000Z' }],
      ['POST', `${path}/toggle_active`],
      ['POST', `${path}/reposition`, { action: 'up' }],
      ['POST', `${path}/waiting_rows/accept`, { snapshot_id: 1 }],
      ['POST', `${path}/waiting_rows/discard`, { snapshot_id: 1 }],
      ['POST', `${path}/warnings/acknowledge`, { warning_ids: ['a'] }],
      ['POST', `${path}/warnings/take_back`, { warning_ids: ['a'] }],
      ['GET', `${path}/logs`],
      ['DELETE', `${path}/logs`],
      ['GET', `${path}/export_csv`],
      ['GET', `${path}/data_copy`],
      ['GET', `${path}/data_copy/columns`],
      ['GET', `/api/source_task_data?source_task_id=${other}`],
    ]
    for (const [method, url, body] of calls)
      expect(await tasks.reply(method, url, body), `${method} ${url}`).toMatchObject([
        404,
        { code: 'source_task_not_found' },
      ])
  }
})

test('the type can be changed and removed; the task is then last in its new section', async () => {
  const type = await aType(app.db, { category: 'source' })
  await tasks.add({ source_task_type_id: type.id })
  const { id } = await tasks.add({ source_task_type_id: null })
  const moved = await tasks.change(id, { source_task_type_id: type.id })
  expect(moved.position_actions).toMatchObject({ current_position: 2, total_tasks_of_type: 2 })
  await tasks.change(id, { source_task_type_id: type.id, description: 'Stays where it is' })
  const untyped = await tasks.change(id, { source_task_type_id: null })
  const { position_actions } = untyped
  expect(position_actions.current_position).toBe(position_actions.total_tasks_of_type)
})

describe('changing the source type', () => {
  test('away from sheet clears the sheet fields', async () => {
    const task = await tasks.add()
    await app.db
      .updateTable('source_tasks')
      .set({ spreadsheet_name: 'Book', sheet_id: 7 })
      .where('task_id', '=', task.id)
      .execute()
    await aConnection(app, { name: 'Shop' })
    const body = { source_type: 'api', source_identifier: 'Shop', sheet_name: 'Left over' }
    expect(await tasks.change(task.id, body)).toMatchObject({
      spreadsheet_id: '',
      spreadsheet_name: '',
      sheet_name: '',
    })
    expect(await storedOf(task.id)).toMatchObject({ sheet_id: null })
  })

  test('to sheet needs the spreadsheet and the tab', async () => {
    const task = await reading()
    expect(await tasks.put(task.id, { source_type: 'sheet' })).toMatchObject([
      400,
      { field: 'spreadsheet_id', message: sourceMessages.spreadsheet_required },
    ])
    expect(
      await tasks.put(task.id, { source_type: 'sheet', spreadsheet_id: aSpreadsheetId() }),
    ).toMatchObject([400, { field: 'sheet_name', message: sourceMessages.sheet_name_required }])
    await tasks.change(task.id, { source_type: 'sheet', spreadsheet_id: aSpreadsheetId(), sheet_name: 'May' })
  })

  test('checks the identifier again, also if only the type changes', async () => {
    await aConnection(app, { name: 'Only_API' })
    const task = await tasks.add({ source_type: 'api', source_identifier: 'Only_API' })
    expect(await tasks.put(task.id, { source_type: 'database' })).toMatchObject([
      422,
      { field: 'source_identifier', message: sourceServerMessages.connection_gone('database', 'Only_API') },
    ])
  })
})

test('clearing a single sheet field of a sheet task is refused', async () => {
  const { id } = await tasks.add()
  expect(await tasks.put(id, { sheet_name: '' })).toMatchObject([400, { field: 'sheet_name' }])
  expect(await tasks.put(id, { spreadsheet_id: '' })).toMatchObject([400, { field: 'spreadsheet_id' }])
})

test('what runs stored about a tab is cleared with a change of the tab', async () => {
  const { id, sheet_name } = await tasks.add()
  const found = { spreadsheet_name: 'Book', sheet_id: 7 }
  await app.db.updateTable('source_tasks').set(found).where('task_id', '=', id).execute()
  await tasks.change(id, { sheet_name, description: 'The same tab' })
  expect(await storedOf(id)).toMatchObject(found)
  await tasks.change(id, { sheet_name: 'June' })
  expect(await storedOf(id)).toMatchObject({ spreadsheet_name: 'Book', sheet_id: null })
  await tasks.change(id, { spreadsheet_id: aSpreadsheetId() })
  expect(await storedOf(id)).toMatchObject({ spreadsheet_name: '' })
})

test('the spreadsheet name is copied from another task that has it', async () => {
  const known = await tasks.add()
  await app.db
    .updateTable('source_tasks')
    .set({ spreadsheet_name: 'Well known' })
    .where('task_id', '=', known.id)
    .execute()
  const { spreadsheet_id } = known
  expect(await tasks.add({ spreadsheet_id })).toMatchObject({ spreadsheet_name: 'Well known' })
})

test('a task follows a renamed connection and accepts its new name in edits', async () => {
  const connection = await aConnection(app, { name: 'Before' })
  const { id } = await tasks.add({ source_type: 'api', source_identifier: 'Before' })
  await app.db.updateTable('connections').set({ name: 'After' }).where('id', '=', connection.id).execute()
  const task = await tasks.get(id)
  expect(task).toMatchObject({ source_identifier: 'After', origin_name: 'After' })
  expect(await tasks.change(id, task)).toMatchObject({ source_identifier: 'After' })
  expect(await storedOf(id)).toMatchObject({ connection_id: connection.id })
})

describe('whose account a task’s runs use', () => {
  let other: number

  test.each<[what: string, edit: () => object]>([
    ['the spreadsheet', () => ({ spreadsheet_id: aSpreadsheetId() })],
    ['the tab', () => ({ sheet_name: 'Salaries' })],
    ['the spreadsheet by its older name', () => ({ source_ss_id: aSpreadsheetId() })],
    [
      'the source type, away from sheet',
      () => ({ source_type: 'internal', source_identifier: `task-${other}` }),
    ],
  ])('an edit of %s assigns the editor’s account', async (_what, edit) => {
    other = (await tasks.add()).id
    const { id } = await tasks.add()
    expect(await accountOf(id)).toBe('ada@example.com')
    await others.change(id, edit())
    expect(await accountOf(id)).toBe('bob@example.com')
    const [entry] = await app.db
      .selectFrom('audit_log')
      .select('details')
      .where('object_type', '=', 'source_task')
      .where('object_id', '=', String(id))
      .where('action', '=', 'update')
      .execute()
    expect(entry?.details).toHaveProperty('account_user_id')
  })

  test('to sheet assigns the editor’s account, too: an edit cannot read a sheet with a colleague’s account', async () => {
    const { id } = await reading()
    await others.change(id, { source_type: 'sheet', spreadsheet_id: aSpreadsheetId(), sheet_name: 'Mine' })
    expect(await others.get(id)).toMatchObject({ account: { email: 'bob@example.com' } })
  })

  test('other edits, and unchanged values, keep the account', async () => {
    const task = await tasks.add()
    await others.change(task.id, { ...task, name: 'Renamed', chunk_size: 9, is_active: false })
    expect(await accountOf(task.id)).toBe('ada@example.com')
    await aConnection(app, { name: 'Anything' })
    await aConnection(app, { name: 'Anything_else', kind: 'database' })
    const api = await tasks.add({ source_type: 'api', source_identifier: 'Anything' })
    await others.change(api.id, { source_type: 'database', source_identifier: 'Anything_else' })
    expect(await accountOf(api.id)).toBe('ada@example.com')
  })

  test('an account shared only with the previous run account is refused once another account is assigned', async () => {
    const task = await tasks.add({ relevant_user_accounts: ['ada@example.com'] })
    expect(await others.put(task.id, { sheet_name: 'Salaries' })).toMatchObject([
      400,
      { field: 'relevant_user_accounts', code: 'account_not_shared' },
    ])
  })

  test('use_my_account assigns the caller’s account to the task as read, and is audited', async () => {
    const { id, updated_at } = await tasks.add()
    const path = `/api/source_tasks/${id}/use_my_account`
    const stale = { updated_at: '2026-01-01T00:00:00.000Z' }
    expect(await others.reply('POST', path, stale)).toMatchObject([409, { code: 'stale_update' }])
    expect(await others.reply('POST', path, { updated_at })).toMatchObject([
      200,
      { account: { email: 'bob@example.com' } },
    ])
  })
})

test('an unused task is deleted, unless a run is live', async () => {
  const { id } = await aSourceTask(app.db)
  const run = await aRun(app.db, id, { category: 'source' })
  expect(await tasks.remove(id)).toMatchObject([409, { message: taskMessages.live_delete }])
  await app.db.updateTable('runs').set({ state: 'stopped' }).where('id', '=', run.id).execute()
  expect(await tasks.remove(id)).toEqual([204, null])
  expect(await tasks.remove(id)).toMatchObject([404, { message: 'Source task not found.' }])
})
