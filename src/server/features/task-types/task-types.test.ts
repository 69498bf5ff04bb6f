import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { syncTaskTypes, TaskType } from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'

const URL = '/api/sync_task_types'
let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

let serial = 0
async function added(fields: object = {}): Promise<TaskType> {
  serial += 1
  const reply = await ada.request('POST', URL, { name: `Added ${serial}`, ...fields })
  expect(reply.statusCode).toBe(201)
  return TaskType.parse(reply.json())
}

const put = (id: number, fields: object) => ada.request('PUT', `${URL}/${id}`, fields)

async function listed(id: number) {
  const types = syncTaskTypes.list.reply.parse((await ada.request('GET', URL)).json())
  return types.find((type) => type.id === id)
}

test('a new type has the defaults 1, 0, 3, 60 and 2000, is last in the order, and depends on nothing', async () => {
  const before = await added()
  const type = await added({ name: ' Catalogue ' })
  expect(type).toMatchObject({
    name: 'Catalogue',
    allowed_concurrent_tasks: 1,
    queue_delay_seconds: 0,
    max_retries: 3,
    retry_delay_seconds: 60,
    chunk_size: 2000,
    depends_on_id: null,
    dependency_chain: [],
    tasks_count: 0,
    dependent_types_count: 0,
    sort_order: before.sort_order + 1,
  })
  expect(await listed(type.id)).toEqual(type)
})

test('types are listed by order, then by name, without other categories', async () => {
  await aType(app.db, { category: 'source', name: 'A source type' })
  await aType(app.db, { name: 'Zebra', sort_order: -1 })
  await aType(app.db, { name: 'Aardvark', sort_order: -1 })
  const names = syncTaskTypes.list.reply.parse((await ada.request('GET', URL)).json()).map(({ name }) => name)
  expect(names.slice(0, 2)).toEqual(['Aardvark', 'Zebra'])
  expect(names).not.toContain('A source type')
})

test('the dependency chain names the type depended on, then that type’s, across categories; both sides are counted', async () => {
  const source = await aType(app.db, { category: 'source', name: 'Pull' })
  const compile = await added({ name: 'Compile', depends_on_id: source.id })
  const copy = await added({ name: 'Copy', depends_on_id: compile.id })
  await aSyncTask(app.db, { task_type_id: compile.id })
  expect(copy).toMatchObject({ depends_on_id: compile.id, dependency_chain: ['Compile', 'Pull'] })
  expect(await listed(compile.id)).toMatchObject({ tasks_count: 1, dependent_types_count: 1 })
})

test('a stored cycle of dependencies ends the chain where it closes', async () => {
  const a = await added()
  const b = await added({ depends_on_id: a.id })
  await app.db
    .insertInto('task_type_dependencies')
    .values({ task_type_id: a.id, depends_on_id: b.id, condition: 'success', position: 0 })
    .execute()
  expect(await listed(a.id)).toMatchObject({ dependency_chain: [b.name, a.name] })
  await app.db.deleteFrom('task_type_dependencies').where('task_type_id', '=', a.id).execute()
})

test.each<[string, object, string, string?]>([
  ['no name', { name: undefined }, 'name', fieldMessages.name_required],
  ['a blank name', { name: ' ' }, 'name', fieldMessages.name_required],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', fieldMessages.name_too_long],
  [
    'no concurrent task',
    { allowed_concurrent_tasks: 0 },
    'allowed_concurrent_tasks',
    fieldMessages.concurrent_minimum,
  ],
  ['a negative queue delay', { queue_delay_seconds: -1 }, 'queue_delay_seconds'],
  ['negative retries', { max_retries: -1 }, 'max_retries'],
  ['a negative retry delay', { retry_delay_seconds: -1 }, 'retry_delay_seconds'],
  ['chunk size 0', { chunk_size: 0 }, 'chunk_size'],
  ['text for a number', { chunk_size: '2000' }, 'chunk_size'],
  ['a cron', { cron_schedule: '0 2 * * *' }, 'cron_schedule'],
])('a type with %s is refused with the name of the field', async (_, fields, field, message) => {
  const reply = await ada.request('POST', URL, { name: 'Refused', ...fields })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ field, ...(message ? { message } : {}) })
})

test('a duplicate name within sync task types is refused; another category may use it', async () => {
  const { name } = await added()
  const reply = await ada.request('POST', URL, { name })
  expect([reply.statusCode, reply.json().field, reply.json().message]).toEqual([
    409,
    'name',
    taskTypeServerMessages.type_name_taken,
  ])
  await aType(app.db, { category: 'source', name: 'Of a source' })
  expect((await ada.request('POST', URL, { name: 'Of a source' })).statusCode).toBe(201)
})

test('PUT accepts a type as read; omitted fields keep their value', async () => {
  const type = await added({ queue_delay_seconds: 9 })
  const renamed = await put(type.id, { ...type, name: 'Renamed', tasks_count: 77, sort_order: -5 })
  expect(renamed.statusCode).toBe(200)
  const { updated_at, ...rest } = type
  expect(renamed.json()).toMatchObject({ ...rest, name: 'Renamed', updated_tasks_count: 0 })
  const short = await put(type.id, { max_retries: 0 })
  expect(short.json()).toMatchObject({ ...rest, name: 'Renamed', max_retries: 0 })
})

test('of two concurrent edits of a type the second is refused as stale', async () => {
  const { id, updated_at } = await added()
  const replies = await Promise.all([
    put(id, { updated_at, max_retries: 5 }),
    put(id, { updated_at, max_retries: 6 }),
  ])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const refused = replies.find(({ statusCode }) => statusCode === 409)?.json()
  expect(refused).toMatchObject({ code: 'stale_update', message: frameMessages.stale_update })
})

test('a changed chunk size changes all tasks of the type, returns their number, and does not affect live runs', async () => {
  const type = await added({ chunk_size: 1000 })
  const [one, two, same] = await Promise.all([
    aSyncTask(app.db, { task_type_id: type.id }),
    aSyncTask(app.db, { task_type_id: type.id }),
    aSyncTask(app.db, { task_type_id: type.id, chunk_size: 3000 }),
  ])
  const other = await aSyncTask(app.db)
  const run = await aRun(app.db, one.id, { state: 'running', definition: '{"chunk_size":1000}' })

  const reply = await put(type.id, { chunk_size: 3000 })

  expect(reply.json()).toMatchObject({ chunk_size: 3000, updated_tasks_count: 2 })
  const rows = await app.db.selectFrom('tasks').select(['id', 'chunk_size']).execute()
  const size = new Map(rows.map(({ id, chunk_size }) => [id, chunk_size]))
  expect([one, two, same, other].map(({ id }) => size.get(id))).toEqual([3000, 3000, 3000, 1000])
  const { definition } = await app.db
    .selectFrom('runs')
    .select('definition')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  expect(definition).toEqual({ chunk_size: 1000 })
  // An open editor of such a task would otherwise restore the old size.
  const stale = await ada.request('PUT', `/api/sync_tasks/${two.id}`, {
    updated_at: two.updated_at,
    chunk_size: 1000,
  })
  expect(stale.statusCode).toBe(409)
})

test('saving a type with an unchanged chunk size keeps the chunk sizes of its tasks', async () => {
  const type = await added({ chunk_size: 1000 })
  const { id } = await aSyncTask(app.db, { task_type_id: type.id, chunk_size: 77 })
  const reply = await put(type.id, { ...type, name: 'Saved again' })
  expect(reply.json()).toMatchObject({ name: 'Saved again', updated_tasks_count: 0 })
  expect((await ada.request('GET', `/api/sync_tasks/${id}`)).json()).toMatchObject({ chunk_size: 77 })
})

test('a type cannot depend on itself', async () => {
  const { id } = await added()
  const reply = await put(id, { depends_on_id: id })
  expect([reply.statusCode, reply.json().message, reply.json().field]).toEqual([
    400,
    taskTypeMessages.depends_on_itself,
    'depends_on_id',
  ])
})

test('a cycle of dependencies of any length is refused, and nothing of the edit is stored', async () => {
  const a = await added()
  const b = await added({ depends_on_id: a.id })
  const c = await added({ depends_on_id: b.id })
  const reply = await put(a.id, { depends_on_id: c.id, max_retries: 9 })
  expect([reply.statusCode, reply.json().message]).toEqual([409, taskTypeMessages.circular_dependency])
  expect(await listed(a.id)).toMatchObject({ depends_on_id: null, max_retries: 3 })
})

test('of two concurrent edits that would form a cycle together one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const a = await added()
    const b = await added()
    const replies = await Promise.all([
      put(a.id, { depends_on_id: b.id }),
      put(b.id, { depends_on_id: a.id }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  }
})

test('a deleted dependency is 422', async () => {
  const reply = await ada.request('POST', URL, { name: 'Depends on nothing', depends_on_id: 2147483647 })
  expect([reply.statusCode, reply.json().field]).toEqual([422, 'depends_on_id'])
})

test('depends_on_id replaces only the first dependency; null removes it; the same again keeps its condition', async () => {
  const [first, second, third] = [await added(), await added(), await added()]
  const type = await added()
  await app.db
    .insertInto('task_type_dependencies')
    .values([
      { task_type_id: type.id, depends_on_id: first.id, condition: 'completion', position: 0 },
      { task_type_id: type.id, depends_on_id: second.id, condition: 'completion', position: 1 },
    ])
    .execute()
  const dependencies = () =>
    app.db
      .selectFrom('task_type_dependencies')
      .select(['depends_on_id', 'condition'])
      .where('task_type_id', '=', type.id)
      .orderBy('position')
      .execute()

  await put(type.id, { depends_on_id: first.id })
  expect(await dependencies()).toEqual([
    { depends_on_id: first.id, condition: 'completion' },
    { depends_on_id: second.id, condition: 'completion' },
  ])
  await put(type.id, { depends_on_id: third.id })
  expect(await dependencies()).toEqual([
    { depends_on_id: third.id, condition: 'success' },
    { depends_on_id: second.id, condition: 'completion' },
  ])
  await put(type.id, { depends_on_id: null })
  expect(await dependencies()).toEqual([{ depends_on_id: second.id, condition: 'completion' }])
})

test('a type used by tasks or other types is not deleted, and the reply has their number', async () => {
  const type = await added()
  await added({ depends_on_id: type.id })
  const dependents = await ada.request('DELETE', `${URL}/${type.id}`)
  expect([dependents.statusCode, dependents.json().message]).toEqual([
    400,
    taskTypeMessages.type_has_dependents(1),
  ])
  await aSyncTask(app.db, { task_type_id: type.id })
  await aSyncTask(app.db, { task_type_id: type.id })
  const tasks = await ada.request('DELETE', `${URL}/${type.id}`)
  expect([tasks.statusCode, tasks.json().message]).toEqual([400, taskTypeMessages.type_has_tasks(2)])
  expect(await listed(type.id)).toBeDefined()
})

test('an unused type is deleted with its own dependencies, and the deletion is audited', async () => {
  const other = await added()
  const type = await added({ depends_on_id: other.id })
  const reply = await ada.request('DELETE', `${URL}/${type.id}`)
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect(await listed(type.id)).toBeUndefined()
  expect(await listed(other.id)).toMatchObject({ dependent_types_count: 0 })
  const audit = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('object_type', '=', 'sync_task_type')
    .where('object_id', '=', String(type.id))
    .orderBy('id')
    .execute()
  expect(audit).toEqual(['create', 'delete'].map((action) => ({ actor: 'ada@example.com', action })))
})

test('a missing type or one of another category is 404', async () => {
  const source = await aType(app.db, { category: 'source' })
  for (const id of [source.id, 99_999, 0, 'x']) {
    expect((await ada.request('PUT', `${URL}/${id}`, { max_retries: 1 })).statusCode).toBe(404)
    expect((await ada.request('DELETE', `${URL}/${id}`)).statusCode).toBe(404)
  }
})

test('a task is added to a type while the type is deleted: never a task without its type', async () => {
  for (let round = 0; round < 5; round += 1) {
    const type = await added()
    const [removal, task] = await Promise.all([
      ada.request('DELETE', `${URL}/${type.id}`),
      ada.request('POST', '/api/sync_tasks', {
        sync_task_type_id: type.id,
        name: 'Raced',
        source_ss_id: `source-of-round-${round}-000`,
        target_ss_id: `target-of-round-${round}-000`,
        target_sheet_name: 'T',
      }),
    ])
    expect([
      [204, 422],
      [400, 201],
    ]).toContainEqual([removal.statusCode, task.statusCode])
  }
})
