import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { aRun, aSpreadsheetId, aSyncTask, aType, aUser } from '../../../../test/factories.ts'
import { messages } from '../../../contract/messages.ts'
import { SyncTask } from '../../../contract/sync-tasks.ts'

let app: TestApp
let ada: SignedIn
let type: { id: number; chunk_size: number }

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  type = await aType(app.db, { chunk_size: 1500 })
})

let serial = 0
/** A body that is accepted. */
function body(fields: object = {}) {
  serial += 1
  return {
    sync_task_type_id: type.id,
    name: `Products ${serial}`,
    source_ss_id: aSpreadsheetId(),
    source_sheet_name: 'Products',
    target_ss_id: aSpreadsheetId(),
    target_sheet_name: 'Products',
    scheduled_times: ['04:00', '23:00'],
    relevant_user_accounts: [],
    chunk_size: 1000,
    start_row: 1,
    sort_order: 0,
    source_type: 'sheet',
    ...fields,
  }
}

const add = (fields: object = {}) => ada.request('POST', '/api/sync_tasks', body(fields))

async function added(fields: object = {}) {
  const reply = await add(fields)
  expect(reply.statusCode).toBe(201)
  return SyncTask.parse(reply.json())
}

const userId = async (email: string) => {
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return user.id
}

const audited = (id: number) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'result'])
    .where('object_type', '=', 'sync_task')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()

test('POST /api/sync_tasks answers 201 with the new task, which is in the list and in the audit log', async () => {
  const sent = body({ name: '  <img src=x onerror=alert(1)>  ' })
  const reply = await ada.request('POST', '/api/sync_tasks', sent)

  expect(reply.statusCode).toBe(201)
  const task = SyncTask.parse(reply.json())
  const { sort_order, ...kept } = sent
  expect(task).toMatchObject({
    ...kept,
    name: '<img src=x onerror=alert(1)>',
    is_active: true,
    task_status: 'Pending',
  })
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()).toMatchObject({ name: task.name })
  expect(await audited(task.id)).toEqual([{ actor: 'ada@example.com', action: 'create', result: 'done' }])
})

test('sort_order 0 is last within its type', async () => {
  const { id } = await aType(app.db)
  const first = await added({ sync_task_type_id: id })
  const second = await added({ sync_task_type_id: id, sort_order: 40 })
  const third = await added({ sync_task_type_id: id })
  expect([first, second, third].map((task) => task.sort_order)).toEqual([1, 40, 41])
})

test('without a chunk size a task takes its type’s, and what else is left out its default', async () => {
  const {
    chunk_size,
    start_row,
    scheduled_times,
    relevant_user_accounts,
    source_type,
    sort_order,
    ...least
  } = body()
  const reply = await ada.request('POST', '/api/sync_tasks', least)
  expect(reply.json()).toMatchObject({
    chunk_size: 1500,
    start_row: 1,
    scheduled_times: [],
    relevant_user_accounts: [],
    source_type: 'sheet',
  })
})

test('["None"] and an empty list of times both mean: not scheduled', async () => {
  expect((await added({ scheduled_times: ['None'] })).scheduled_times).toEqual([])
  expect((await added({ scheduled_times: [] })).scheduled_times).toEqual([])
})

test('a whole address as spreadsheet id is reduced to the id', async () => {
  const id = aSpreadsheetId()
  const task = await added({
    target_ss_id: ` https://docs.google.com/spreadsheets/u/0/d/${id}/edit?usp=sharing#gid=7 `,
  })
  expect(task.target_ss_id).toBe(id)
})

test.each<[string, object, string, string?]>([
  ['a blank name', { name: ' ' }, 'name', messages.name_required],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', messages.name_too_long],
  ['a name that turns the writing direction', { name: 'abc\u202etxt' }, 'name', messages.name_invisible],
  ['a name with a zero-width blank', { name: 'ab\u200bc' }, 'name', messages.name_invisible],
  ['a name with NUL', { name: 'a\u0000b' }, 'name'],
  ['a name with a lone surrogate', { name: 'a\ud800b' }, 'name'],
  ['no name', { name: undefined }, 'name', messages.name_required],
  ['null for the name', { name: null }, 'name'],
  ['text for a number', { chunk_size: '12' }, 'chunk_size'],
  ['a broken number', { chunk_size: 1.5 }, 'chunk_size'],
  ['null for a number', { chunk_size: null }, 'chunk_size'],
  ['chunk size 0', { chunk_size: 0 }, 'chunk_size'],
  ['start row 0', { start_row: 0 }, 'start_row'],
  ['start row -1', { start_row: -1 }, 'start_row'],
  ['a number past the range', { start_row: 2147483648 }, 'start_row'],
  ['text for a boolean', { is_active: 'false' }, 'is_active'],
  ['an unknown field', { colour: 'red' }, 'colour'],
  ['another source type', { source_type: 'api' }, 'source_type'],
  [
    'a spreadsheet id of 14 characters',
    { source_ss_id: 'x'.repeat(14) },
    'source_ss_id',
    messages.spreadsheet_id_short,
  ],
  [
    'a spreadsheet id with other characters',
    { target_ss_id: `${'x'.repeat(20)}'!A1` },
    'target_ss_id',
    messages.spreadsheet_id_invalid,
  ],
  ['no source spreadsheet', { source_ss_id: '' }, 'source_ss_id', messages.source_spreadsheet_required],
  ['no target tab', { target_sheet_name: '' }, 'target_sheet_name', messages.sheet_name_required],
  ['the time 24:00', { scheduled_times: ['24:00'] }, 'scheduled_times.0', messages.time_invalid],
  ['the time 4:00', { scheduled_times: ['04:00', '4:00'] }, 'scheduled_times.1', messages.time_invalid],
  ['a time twice', { scheduled_times: ['04:00', '04:00'] }, 'scheduled_times', messages.time_duplicate],
  ['None beside a time', { scheduled_times: ['None', '04:00'] }, 'scheduled_times.0', messages.time_invalid],
  ['5,000 times', { scheduled_times: Array(5000).fill('04:00') }, 'scheduled_times', messages.times_too_many],
  ['an account that is no address', { relevant_user_accounts: ['ada'] }, 'relevant_user_accounts.0'],
  [
    'an internal source without a configuration',
    { source_type: 'internal' },
    'source_compiler_config_id',
    messages.config_required,
  ],
])('a new task with %s is refused, and the field named', async (_, fields, field, message) => {
  const before = await app.db.selectFrom('tasks').select('id').execute()
  const reply = await add(fields)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ field, ...(message ? { error: message, message } : {}) })
  expect(await app.db.selectFrom('tasks').select('id').execute()).toEqual(before)
})

test('all fields at fault are named at once', async () => {
  const reply = await add({ name: '', start_row: 0 })
  expect(
    reply
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['name', 'start_row'])
})

test('source equals target is refused, whatever the case of the tab, also when an edit makes it so', async () => {
  const id = aSpreadsheetId()
  const reply = await add({
    source_ss_id: id,
    target_ss_id: id,
    source_sheet_name: 'One',
    target_sheet_name: 'ONE',
  })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ field: 'target_sheet_name', message: messages.source_is_target })

  const task = await added({
    source_ss_id: id,
    target_ss_id: id,
    source_sheet_name: 'One',
    target_sheet_name: 'Two',
  })
  const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { target_sheet_name: 'one' })
  expect(edit.statusCode).toBe(400)
  expect(edit.json()).toMatchObject({ field: 'target_sheet_name', message: messages.source_is_target })
})

test('an edit may not take source or configuration away either', async () => {
  const task = await added()
  const noSource = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { source_ss_id: '' })
  expect(noSource.statusCode).toBe(400)
  expect(noSource.json()).toMatchObject({
    field: 'source_ss_id',
    message: messages.source_spreadsheet_required,
  })
  const noConfig = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { source_type: 'internal' })
  expect(noConfig.statusCode).toBe(400)
  expect(noConfig.json()).toMatchObject({
    field: 'source_compiler_config_id',
    message: messages.config_required,
  })
})

test.each<[string, object, string]>([
  ['task type', { sync_task_type_id: 2147483647 }, 'sync_task_type_id'],
  ['preset', { sync_preset_id: 2147483647 }, 'sync_preset_id'],
  [
    'configuration',
    { source_compiler_config_id: 2147483647, source_type: 'internal' },
    'source_compiler_config_id',
  ],
])('a %s that is gone is 422, on adding and on editing', async (_, fields, field) => {
  const reply = await add(fields)
  expect([reply.statusCode, reply.json().field]).toEqual([422, field])
  const task = await added()
  const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, fields)
  expect([edit.statusCode, edit.json().field]).toEqual([422, field])
})

test('a type of another category is gone as well', async () => {
  const source = await aType(app.db, { category: 'source' })
  expect((await add({ sync_task_type_id: source.id })).statusCode).toBe(422)
})

test('the same name in the same type is refused with the spec’s text, in another type it is not', async () => {
  const task = await added()
  const reply = await add({ name: task.name })
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ field: 'name', message: messages.name_taken })
  expect((await add({ name: task.name, sync_task_type_id: (await aType(app.db)).id })).statusCode).toBe(201)
})

test('source and target as another task has them are refused, and so is a target tab that another task writes', async () => {
  const task = await added()
  const { source_ss_id, source_sheet_name, target_ss_id, target_sheet_name } = task
  const same = await add({ source_ss_id, source_sheet_name, target_ss_id, target_sheet_name })
  expect([same.statusCode, same.json().message]).toEqual([409, messages.source_target_taken])
  const target = await add({ target_ss_id, target_sheet_name: target_sheet_name.toUpperCase() })
  expect([target.statusCode, target.json().message]).toEqual([409, messages.target_taken])
  expect((await add({ target_ss_id, target_sheet_name: 'Another tab' })).statusCode).toBe(201)
})

test('PUT takes the object as it was read, changes what differs, and ignores read-only fields', async () => {
  const task = await added()
  const read = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  const reply = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    ...read,
    name: 'Renamed',
    sort_order: 99,
    task_status: 'Success',
    id: 7,
  })
  expect(reply.statusCode).toBe(200)
  const { name, updated_at, ...rest } = task
  expect(reply.json()).toMatchObject({ ...rest, name: 'Renamed' })
  expect(reply.json().updated_at > updated_at).toBe(true)
})

test('PUT keeps the value of fields that are left out', async () => {
  const task = await added({ start_row: 3 })
  const reply = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { chunk_size: 77 })
  const { updated_at, ...rest } = task
  expect(reply.json()).toMatchObject({ ...rest, chunk_size: 77 })
})

test('two people edit the same task: the second is told, and nothing of the second edit is kept', async () => {
  const task = await added()
  const bob = await app.signIn('bob@example.com')
  const { updated_at } = task
  const [one, other] = await Promise.all([
    ada.request('PUT', `/api/sync_tasks/${task.id}`, { updated_at, name: `${task.name} by Ada` }),
    bob.request('PUT', `/api/sync_tasks/${task.id}`, { updated_at, name: `${task.name} by Bob` }),
  ])
  expect([one.statusCode, other.statusCode].sort()).toEqual([200, 409])
  const [kept, refused] = one.statusCode === 200 ? [one, other] : [other, one]
  expect(refused.json().message).toBe(messages.stale_update)
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json().name).toBe(kept.json().name)
})

test('a toggle in between also makes an edit stale, and tells the new updated_at', async () => {
  const task = await added()
  const toggled = (await ada.request('POST', `/api/sync_tasks/${task.id}/toggle_active`, {})).json()
  const stale = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { ...task, name: 'Too late' })
  expect(stale.statusCode).toBe(409)
  const fresh = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    updated_at: toggled.updated_at,
    start_row: 2,
  })
  expect(fresh.json()).toMatchObject({ start_row: 2, is_active: false })
})

test.each(['queued', 'running', 'stopping'] as const)(
  'a task whose run is %s is neither edited nor deleted',
  async (state) => {
    const task = await added()
    await aRun(app.db, task.id, { state })
    const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { start_row: 2 })
    expect([edit.statusCode, edit.json().message]).toEqual([409, messages.live_edit])
    const removal = await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
    expect([removal.statusCode, removal.json().message]).toEqual([409, messages.live_delete])
    expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json().start_row).toBe(1)
  },
)

test('DELETE answers 204, takes the log along, keeps the history and leaves a trace', async () => {
  const task = await added()
  const run = await aRun(app.db, task.id, { state: 'success' })
  const reply = await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).statusCode).toBe(404)
  expect((await ada.request('DELETE', `/api/sync_tasks/${task.id}`)).statusCode).toBe(404)
  expect(await app.db.selectFrom('runs').select('task_id').where('id', '=', run.id).execute()).toEqual([
    { task_id: null },
  ])
  expect((await audited(task.id)).map(({ action }) => action)).toEqual(['create', 'delete'])
})

test('an account may be named only if it is the creator’s or its owner has opted in', async () => {
  await aUser(app.db, { email: 'Grace@Example.com', shares_grant: true })
  await aUser(app.db, { email: 'closed@example.com' })
  await aUser(app.db, { email: 'gone@example.com', shares_grant: true, disabled_at: new Date() })

  const task = await added({
    relevant_user_accounts: ['ADA@example.com', 'grace@example.com', 'grace@EXAMPLE.com'],
  })
  expect(task.relevant_user_accounts).toEqual(['ada@example.com', 'grace@example.com'])
  for (const email of ['closed@example.com', 'gone@example.com', 'nobody@example.com']) {
    const reply = await add({ relevant_user_accounts: [email] })
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'relevant_user_accounts'])
    expect(reply.json().message).toBe(messages.account_not_shared(email))
    const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { relevant_user_accounts: [email] })
    expect(edit.statusCode).toBe(400)
  }
})

test('nobody reads a colleague’s private sheets by naming them in the colleague’s task: it then runs with their own grant', async () => {
  const task = await added()
  const bob = await app.signIn('bob@example.com')
  const creator = async () =>
    (
      await app.db
        .selectFrom('tasks')
        .select('created_by')
        .where('id', '=', task.id)
        .executeTakeFirstOrThrow()
    ).created_by

  await bob.request('PUT', `/api/sync_tasks/${task.id}`, { ...task, start_row: 5 })
  expect(await creator()).toBe(await userId('ada@example.com'))
  const reply = await bob.request('PUT', `/api/sync_tasks/${task.id}`, { source_ss_id: aSpreadsheetId() })
  expect(reply.statusCode).toBe(200)
  expect(await creator()).toBe(await userId('bob@example.com'))
})

test('what runs found out about a tab is forgotten when the task is pointed at another, and only then', async () => {
  const task = await aSyncTask(app.db, {
    definition: {
      source_sheet_id: 1,
      source_ss_name: 'S',
      target_sheet_id: 2,
      target_ss_name: 'T',
      owned_columns: 3,
      owned_rows: 4,
    },
  })
  const found = () =>
    app.db
      .selectFrom('sync_tasks')
      .select([
        'source_sheet_id',
        'source_ss_name',
        'target_sheet_id',
        'target_ss_name',
        'owned_columns',
        'owned_rows',
      ])
      .where('task_id', '=', task.id)
      .executeTakeFirstOrThrow()
  const url = `/api/sync_tasks/${task.id}`
  const all = {
    source_sheet_id: 1,
    source_ss_name: 'S',
    target_sheet_id: 2,
    target_ss_name: 'T',
    owned_columns: 3,
    owned_rows: 4,
  }

  await ada.request('PUT', url, { ...(await ada.request('GET', url)).json(), name: 'Only another name' })
  expect(await found()).toEqual(all)
  await ada.request('PUT', url, { source_sheet_name: 'Another' })
  expect(await found()).toEqual({ ...all, source_sheet_id: null })
  await ada.request('PUT', url, { target_ss_id: aSpreadsheetId() })
  expect(await found()).toEqual({
    source_sheet_id: null,
    source_ss_name: 'S',
    target_sheet_id: null,
    target_ss_name: '',
    owned_columns: 0,
    owned_rows: 0,
  })
})

test('toggle_active takes a value or turns it over, and answers what it is now', async () => {
  const task = await added()
  const url = `/api/sync_tasks/${task.id}/toggle_active`
  expect((await ada.request('POST', url, { is_active: true })).json()).toMatchObject({
    is_active: true,
    message: messages.activated(task.name),
  })
  expect((await ada.request('POST', url, {})).json()).toMatchObject({
    is_active: false,
    message: messages.deactivated(task.name),
  })
  expect((await ada.request('POST', url, { is_active: 'false' })).statusCode).toBe(400)
  expect((await ada.request('POST', '/api/sync_tasks/99999/toggle_active', {})).statusCode).toBe(404)
  expect((await audited(task.id)).map(({ action }) => action)).toEqual(['create', 'activate', 'deactivate'])
})
