import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { done, handlerOf } from '../../../../test/fixtures/engine.ts'
import { aConfig, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { SOURCE, SYNC, taskTypesOf, UNIFIED } from '../../../../test/fixtures/task-types.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import type { TaskType } from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'

let app: TestApp
let ada: SignedIn
let taskTypes: ReturnType<typeof taskTypesOf>

beforeAll(async () => {
  app = await testApp({ handlers: [handlerOf(async () => done)] })
  ada = await app.signIn('ada@example.com')
  taskTypes = taskTypesOf(ada)
})

const namesOf = (types: TaskType[]) => types.map(({ name }) => name)

test('a source type has the defaults of its category and all fields of its form', async () => {
  expect(await taskTypes.added(SOURCE)).toMatchObject({
    task_category: 'source',
    description: '',
    group_name: '',
    cron_schedule: null,
    next_run: null,
    priority: 0,
    timeout_minutes: null,
    allowed_concurrent_tasks: 1,
    depends_on_id: null,
    depends_on_name: null,
    dependencies: [],
    queue_delay_seconds: 0,
    max_retries: 3,
    retry_delay_seconds: 300,
    chunk_size: 1000,
    is_active: true,
    compiler_config_id: null,
    source_tasks_count: 0,
  })
  const settings = {
    description: 'Prices of all\nsuppliers',
    group_name: 'Prices',
    cron_schedule: '0 2 * * *',
    priority: 2,
    timeout_minutes: 30,
    is_active: false,
  }
  const type = await taskTypes.added(SOURCE, settings)
  expect(type).toMatchObject({ ...settings, next_run: null })
  expect((await ada.request('GET', `${SOURCE}/${type.id}`)).json()).toEqual(type)
})

test('a list describes each schedule; a type without one has no description', async () => {
  const { id } = await taskTypes.added(SOURCE, { cron_schedule: '30 6 * * 1-5' })
  const listed = async () =>
    (await ada.request('GET', SOURCE)).json().find((type: { id: number }) => type.id === id).cron_words
  expect(await listed()).toBe('At 06:30, Monday through Friday')
  await ada.request('PUT', `${SOURCE}/${id}`, { cron_schedule: '' })
  expect(await listed()).toBeNull()
})

test('the next run is the next occurrence of the schedule; none without one, and none while it is inactive', async () => {
  const asked = Date.now()
  const type = await taskTypes.added(SOURCE, { cron_schedule: '* * * * *' })
  const next_run = Date.parse(type.next_run ?? '')
  expect(next_run).toBeGreaterThan(asked)
  expect(next_run).toBeLessThanOrEqual(Date.now() + 60_000)
  const off = await ada.request('PUT', `${SOURCE}/${type.id}`, { is_active: false })
  expect(off.json()).toMatchObject({ is_active: false, next_run: null, cron_schedule: '* * * * *' })
  const unscheduled = await ada.request('PUT', `${SOURCE}/${type.id}`, { cron_schedule: '' })
  expect(unscheduled.json()).toMatchObject({ cron_schedule: null })
})

test.each<[string, object, number, string, string]>([
  [
    'a cron that is none',
    { cron_schedule: '61 * * * *' },
    400,
    'cron_schedule',
    'Minute: "61" is out of range. Write numbers from 0 to 59.',
  ],
  [
    'a cron that is never due',
    { cron_schedule: '0 0 30 2 *' },
    400,
    'cron_schedule',
    'This never runs: there is no such day',
  ],
  [
    'a description of 513 characters',
    { description: 'x'.repeat(513) },
    400,
    'description',
    fieldMessages.description_long,
  ],
  [
    'a group name of 101 characters',
    { group_name: 'x'.repeat(101) },
    400,
    'group_name',
    fieldMessages.group_name_long,
  ],
  ['a group name with a line end', { group_name: 'a\nb' }, 400, 'group_name', fieldMessages.text_control],
  [
    'a configuration',
    { compiler_config_id: 1 },
    400,
    'compiler_config_id',
    taskTypeServerMessages.config_of_others,
  ],
  [
    'another category',
    { task_category: 'sync' },
    400,
    'task_category',
    taskTypeServerMessages.category_fixed,
  ],
])(
  'a source type with %s is refused with the name of the field',
  async (_, fields, status, field, message) => {
    expect(await taskTypes.refusal('POST', SOURCE, { name: 'Refused', ...fields })).toEqual([
      status,
      field,
      message,
    ])
    const { id } = await taskTypes.added(SOURCE)
    expect(await taskTypes.refusal('PUT', `${SOURCE}/${id}`, fields)).toEqual([status, field, message])
  },
)

test('a sync type has no cron, and can be sent back as read', async () => {
  const refused = [400, 'cron_schedule', taskTypeServerMessages.cron_of_sync]
  expect(await taskTypes.refusal('POST', SYNC, { name: 'Refused', cron_schedule: '0 2 * * *' })).toEqual(
    refused,
  )
  expect(
    await taskTypes.refusal('POST', UNIFIED, {
      name: 'Refused',
      task_category: 'sync',
      cron_schedule: '0 2 * * *',
    }),
  ).toEqual(refused)
  const type = await taskTypes.added(SYNC)
  expect((await ada.request('PUT', `${SYNC}/${type.id}`, type)).statusCode).toBe(200)
})

test('the order is set by ids; missing, unknown or repeated ids change nothing', async () => {
  const types = await taskTypes.listed(SOURCE)
  const other = await taskTypes.added(SYNC)
  const backwards = types.map(({ id }) => id).reverse()
  const moved = await ada.request('PATCH', `${SOURCE}/order`, { order: backwards })
  expect(moved.statusCode).toBe(200)
  expect(moved.json().map(({ id }: TaskType) => id)).toEqual(backwards)
  const changed = [409, 'order', taskTypeServerMessages.order_changed]
  const [first = 0, ...rest] = backwards
  expect(await taskTypes.refusal('PATCH', `${SOURCE}/order`, { order: rest })).toEqual(changed)
  expect(await taskTypes.refusal('PATCH', `${SOURCE}/order`, { order: [...rest, other.id] })).toEqual(changed)
  expect(
    await taskTypes.refusal('PATCH', `${SOURCE}/order`, { order: [...backwards, 2_147_483_647] }),
  ).toEqual(changed)
  expect(await taskTypes.refusal('PATCH', `${SOURCE}/order`, { order: [...backwards, first] })).toEqual([
    400,
    'order',
    fieldMessages.order_repeats,
  ])
  expect((await taskTypes.listed(SOURCE)).map(({ id }) => id)).toEqual(backwards)
})

test('the list of all categories is in pipeline order and is filtered by category, activity and configuration', async () => {
  const config = await aConfig(app.db)
  const compile = await taskTypes.added(UNIFIED, {
    name: 'Compile the catalogue',
    task_category: 'compiler',
    compiler_config_id: config.id,
    cron_schedule: '0 3 * * *',
  })
  const off = await taskTypes.added(UNIFIED, { task_category: 'sync', is_active: false })
  const all = await taskTypes.listed(UNIFIED)
  const categories = all.map(({ task_category }) => task_category)
  expect(categories).toEqual([...categories].sort((a, b) => rank(a) - rank(b)))
  expect(namesOf(await taskTypes.listed(`${UNIFIED}?category=compiler`))).toEqual([compile.name])
  expect(namesOf(await taskTypes.listed(`${UNIFIED}?compiler_config_id=${config.id}`))).toEqual([
    compile.name,
  ])
  expect(namesOf(await taskTypes.listed(`${UNIFIED}?is_active=false&category=sync`))).toEqual([off.name])
  for (const query of ['category=other', 'is_active=yes', 'compiler_config_id=x', 'page=1'])
    expect((await ada.request('GET', `${UNIFIED}?${query}`)).statusCode).toBe(400)
})
const rank = (category: string) => ['source', 'compiler', 'sync'].indexOf(category)

test('types added by the calls for all categories have 60 s between retries and the chunk size of the category', async () => {
  for (const [task_category, chunk_size] of [
    ['sync', 2000],
    ['source', 1000],
  ])
    expect(await taskTypes.added(UNIFIED, { task_category })).toMatchObject({
      task_category,
      retry_delay_seconds: 60,
      chunk_size,
    })
  expect(await taskTypes.added(UNIFIED, { task_category: 'source', chunk_size: 7 })).toMatchObject({
    chunk_size: 7,
  })
})

test('a compiler type needs a configuration of its own', async () => {
  const config = await aConfig(app.db)
  const body = { name: 'Nightly compile', task_category: 'compiler' }
  const required = [400, 'compiler_config_id', taskTypeMessages.compiler_config_required]
  expect(await taskTypes.refusal('POST', UNIFIED, body)).toEqual(required)
  const type = await taskTypes.added(UNIFIED, { ...body, compiler_config_id: config.id })
  expect(await taskTypes.refusal('PUT', `${UNIFIED}/${type.id}`, { compiler_config_id: null })).toEqual(
    required,
  )
  const second = await taskTypes.refusal('POST', UNIFIED, {
    ...body,
    name: 'Second',
    compiler_config_id: config.id,
  })
  expect(second.slice(0, 2)).toEqual([409, 'compiler_config_id'])
  const gone = await taskTypes.refusal('POST', UNIFIED, {
    ...body,
    name: 'Third',
    compiler_config_id: 999_999,
  })
  expect(gone.slice(0, 2)).toEqual([422, 'compiler_config_id'])
  for (const [category, field] of [
    ['sync', 'compiler_config_id'],
    ['other', 'task_category'],
  ])
    expect(
      (
        await taskTypes.refusal('POST', UNIFIED, {
          ...body,
          task_category: category,
          compiler_config_id: config.id,
        })
      ).slice(0, 2),
    ).toEqual([400, field])
})

test('a type of any category is read, edited and deleted by the calls for all; its category never changes', async () => {
  for (const path of [SYNC, SOURCE]) {
    const type = await taskTypes.added(path)
    const address = `${UNIFIED}/${type.id}`
    expect((await ada.request('GET', address)).json()).toEqual(type)
    expect((await ada.request('PUT', address, { ...type, description: 'Edited' })).json()).toMatchObject({
      description: 'Edited',
    })
    expect(await taskTypes.refusal('PUT', address, { task_category: 'compiler' })).toEqual([
      400,
      'task_category',
      taskTypeServerMessages.category_fixed,
    ])
    expect((await ada.request('DELETE', address)).statusCode).toBe(204)
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await ada.request(method, address, method === 'PUT' ? {} : undefined)).statusCode).toBe(404)
  }
})

test('the calls for all categories run a group like its own call, and its history shows the given trigger', async () => {
  const type = await aType(app.db)
  const task = await aSyncTask(app.db, { task_type_id: type.id })
  const reply = await ada.request('POST', `${UNIFIED}/${type.id}/run_group`, { trigger: 'Graph' })
  expect(reply.json()).toMatchObject({ status: 'success', started_count: 1 })
  const run = await app.db
    .selectFrom('runs')
    .select('trigger_label')
    .where('task_id', '=', task.id)
    .executeTakeFirst()
  expect(run?.trigger_label).toBe('ada@example.com (Graph)')
  expect((await ada.request('POST', `${UNIFIED}/${type.id}/stop_group`)).json()).toMatchObject({
    stopped_count: 1,
  })
  expect((await ada.request('POST', `${UNIFIED}/999999/run_group`)).statusCode).toBe(404)
})
