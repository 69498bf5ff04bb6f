import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aRun, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { compilerFieldMessages } from '../../../contract/compiler/field-messages.ts'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'

const URL = '/api/compiler/configs'
let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const sources = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await aSourceTask(app.db)).id))

let serial = 0
async function added(fields: object = {}): Promise<CompilerConfig> {
  serial += 1
  const [source = 0] = await sources(1)
  const config = { name: `Added ${serial}`, source_task_ids: [source], master_source_id: source, ...fields }
  const reply = await ada.request('POST', URL, config)
  expect(reply.statusCode).toBe(201)
  return CompilerConfig.parse(reply.json())
}

const put = (id: number, fields: object) => ada.request('PUT', `${URL}/${id}`, fields)
const remove = (id: number) => ada.request('DELETE', `${URL}/${id}`)
const listed = async (query = '') =>
  (await ada.request('GET', `${URL}${query}`)).json().map((config: unknown) => CompilerConfig.parse(config))

test('configurations are listed by name, with is_active=true only the active ones', async () => {
  const { db, signIn } = await testApp()
  const ben = await signIn()
  const get = (query: string) => ben.request('GET', `${URL}${query}`)
  await aConfig(db, { name: 'Shop' })
  await aConfig(db, { name: 'Archive', is_active: false, description: 'Of last year' })
  const names = async (query: string) => (await get(query)).json().map(({ name }: { name: string }) => name)
  expect((await get('')).json()).toMatchObject([
    {
      name: 'Archive',
      description: 'Of last year',
      is_active: false,
      source_task_ids: [],
      master_source_id: null,
    },
    { name: 'Shop', description: '', is_active: true, task_type_name: null, task_type_schedule: null },
  ])
  expect(await names('?is_active=true')).toEqual(['Shop'])
  expect(await names('?is_active=false')).toEqual(['Archive'])
  expect((await get('?is_active=yes')).statusCode).toBe(400)
})

test('a new configuration is active, keeps the order of its sources and its master, and is a task', async () => {
  const [one = 0, two = 0, three = 0] = await sources(3)
  const config = await added({
    name: ' Catalogue ',
    source_task_ids: [three, one, two],
    master_source_id: one,
  })
  expect(config).toMatchObject({
    name: 'Catalogue',
    description: '',
    is_active: true,
    source_task_ids: [three, one, two],
    master_source_id: one,
    task_type_name: null,
    task_type_schedule: null,
  })
  expect(config.source_names).toHaveLength(3)
  expect(await listed()).toContainEqual(config)
  const task = await app.db
    .selectFrom('tasks')
    .innerJoin('compiler_configs as c', 'c.task_id', 'tasks.id')
    .select(['category', 'name', 'is_active'])
    .where('c.id', '=', config.id)
    .executeTakeFirst()
  expect(task).toEqual({ category: 'compiler', name: 'Catalogue', is_active: true })
})

test.each<[string, (ids: number[]) => object, string, string?]>([
  ['no name', () => ({ name: undefined }), 'name', fieldMessages.name_required],
  ['a blank name', () => ({ name: ' ' }), 'name', fieldMessages.name_required],
  [
    'no master source',
    () => ({ master_source_id: undefined }),
    'master_source_id',
    compilerFieldMessages.master_required,
  ],
  [
    'null for a master source',
    () => ({ master_source_id: null }),
    'master_source_id',
    compilerFieldMessages.master_required,
  ],
  ['no sources', () => ({ source_task_ids: undefined }), 'source_task_ids'],
  [
    'an empty list of sources',
    () => ({ source_task_ids: [] }),
    'master_source_id',
    compilerServerMessages.master_not_source,
  ],
  [
    'a master that is no source of it',
    ([, other]) => ({ master_source_id: other }),
    'master_source_id',
    compilerServerMessages.master_not_source,
  ],
  [
    'a source twice',
    ([one]) => ({ source_task_ids: [one, one] }),
    'source_task_ids',
    compilerFieldMessages.source_twice,
  ],
  ['ids as text', ([one]) => ({ source_task_ids: [`${one}`] }), 'source_task_ids.0'],
  ['an unknown field', () => ({ sources: [] }), 'sources'],
])(
  'a configuration with %s is refused with 400 and the name of the field',
  async (_, fields, field, message) => {
    const [one = 0, other = 0] = await sources(2)
    const reply = await ada.request('POST', URL, {
      name: 'Refused',
      source_task_ids: [one],
      master_source_id: one,
      ...fields([one, other]),
    })
    expect([reply.statusCode, reply.json().field]).toEqual([400, field])
    if (message) expect(reply.json().message).toBe(message)
    expect((await listed()).map(({ name }: CompilerConfig) => name)).not.toContain('Refused')
  },
)

test('a deleted source, or one that is not a source task, is 422', async () => {
  const [one = 0] = await sources(1)
  for (const other of [2_147_483_647, (await aSyncTask(app.db)).id, (await aConfig(app.db)).task_id]) {
    const body = { name: 'Refused', source_task_ids: [one, other], master_source_id: one }
    const reply = await ada.request('POST', URL, body)
    expect([reply.statusCode, reply.json().field]).toEqual([422, 'source_task_ids'])
  }
})

test('PUT accepts a configuration as read; omitted fields keep their value', async () => {
  const [one = 0, two = 0] = await sources(2)
  const config = await added({ source_task_ids: [one, two], master_source_id: one, description: 'All of it' })
  const renamed = await put(config.id, { ...config, name: `${config.name} again`, source_names: ['x'] })
  const { updated_at, ...rest } = config
  expect(renamed.json()).toMatchObject({ ...rest, name: `${config.name} again` })
  const short = await put(config.id, { is_active: false })
  expect(short.json()).toMatchObject({ ...rest, name: `${config.name} again`, is_active: false })
  expect((await put(config.id, { master_source_id: two })).json()).toMatchObject({
    source_task_ids: [one, two],
    master_source_id: two,
  })
  expect((await put(config.id, { source_task_ids: [two, one] })).json()).toMatchObject({
    source_task_ids: [two, one],
    master_source_id: two,
  })
})

test('an edit that removes the master from the sources is refused, and nothing of it is stored', async () => {
  const [one = 0, two = 0] = await sources(2)
  const config = await added({ source_task_ids: [one, two], master_source_id: one })
  const reply = await put(config.id, { name: 'Half', source_task_ids: [two] })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'master_source_id'])
  expect(await listed()).toContainEqual(config)
})

test('a duplicate name is 409, also for two concurrent requests', async () => {
  const { name } = await added()
  const other = await added()
  const taken = await put(other.id, { name })
  expect([taken.statusCode, taken.json().field, taken.json().message]).toEqual([
    409,
    'name',
    compilerServerMessages.config_name_taken,
  ])
  const [one] = await sources(1)
  const both = { name: 'Both', source_task_ids: [one], master_source_id: one }
  const replies = await Promise.all([ada.request('POST', URL, both), ada.request('POST', URL, both)])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
})

test('of two concurrent edits of a configuration the second is refused as stale', async () => {
  const { id, updated_at } = await added()
  const [one = 0, two = 0] = await sources(2)
  const replies = await Promise.all(
    [one, two].map((source) => put(id, { updated_at, source_task_ids: [source], master_source_id: source })),
  )
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const refused = replies.find(({ statusCode }) => statusCode === 409)?.json()
  expect(refused).toMatchObject({ code: 'stale_update', message: frameMessages.stale_update })
})

test('a configuration describes the schedule of its type; without a schedule or if inactive, none', async () => {
  const scheduled = async (cron_schedule: string | null, is_active = true) => {
    const { id } = await added()
    await aType(app.db, { category: 'compiler', compiler_config_id: id, cron_schedule, is_active })
    return (await listed()).find((config: CompilerConfig) => config.id === id)?.task_type_schedule
  }
  expect(await scheduled('0 2 * * *')).toBe('At 02:00')
  expect(await scheduled(null)).toBeNull()
  expect(await scheduled('0 2 * * *', false)).toBeNull()
})

test('one that sync tasks or a type use is not deleted: the refusal names the first five', async () => {
  const config = await added()
  await aType(app.db, { category: 'compiler', name: 'Nightly compile', compiler_config_id: config.id })
  const copy = (name: string) =>
    aSyncTask(app.db, {
      name,
      definition: { source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id },
    })
  for (const name of ['Copy 1', 'Copy 2', 'Copy 3', 'Copy 4', 'Copy 5', 'Copy 6']) await copy(name)
  const reply = await remove(config.id)
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    'This configuration is in use by the task type Nightly compile, the sync task Copy 1, the sync task Copy 2, the sync task Copy 3, the sync task Copy 4 and 2 more.',
  ])
  expect(await listed()).toContainEqual({ ...config, task_type_name: 'Nightly compile' })
})

test('an unused configuration is deleted with its task, unless a run is live', async () => {
  const config = await added()
  const { task_id } = await app.db
    .selectFrom('compiler_configs')
    .select('task_id')
    .where('id', '=', config.id)
    .executeTakeFirstOrThrow()
  const run = await aRun(app.db, task_id, { category: 'compiler' })
  expect((await remove(config.id)).json()).toMatchObject({ code: 'live_delete' })
  await app.db.updateTable('runs').set({ state: 'stopped' }).where('id', '=', run.id).execute()
  expect((await remove(config.id)).statusCode).toBe(204)
  expect(await app.db.selectFrom('tasks').select('id').where('id', '=', task_id).execute()).toEqual([])
  for (const reply of [await remove(config.id), await put(config.id, { name: 'Late' })])
    expect(reply.statusCode).toBe(404)
})

test('deleting it while a sync task starts to use it: one of both is refused', async () => {
  const config = await added()
  const use = await aSyncTask(app.db)
  const [removed, used] = await Promise.allSettled([
    remove(config.id),
    app.db
      .updateTable('sync_tasks')
      .set({ source_type: 'internal', source_ss_id: '', source_compiler_config_id: config.id })
      .where('task_id', '=', use.id)
      .execute(),
  ])
  const codes = removed.status === 'fulfilled' ? removed.value.statusCode : 500
  expect([codes, used.status]).toEqual(codes === 204 ? [204, 'rejected'] : [409, 'fulfilled'])
})

test('a second type for a configuration is 409 with the reason', async () => {
  const { id: compiler_config_id } = await added()
  const compile = (name: string) =>
    ada.request('POST', '/api/unified_task_types', { name, task_category: 'compiler', compiler_config_id })
  expect((await compile('First compile')).statusCode).toBe(201)
  const second = await compile('Second compile')
  expect([second.statusCode, second.json().field]).toEqual([409, 'compiler_config_id'])
})

test('every change of a configuration is in the audit log', async () => {
  const { id } = await added({ name: 'Audited' })
  const { task_id } = await app.db
    .selectFrom('compiler_configs')
    .select('task_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await put(id, { description: 'Changed' })
  await remove(id)
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'result'])
    .where('object_type', '=', 'compiler_task')
    .where('object_id', '=', `${task_id}`)
    .orderBy('id')
    .execute()
  expect(lines).toEqual(
    ['create', 'update', 'delete'].map((action) => ({ actor: 'ada@example.com', action, result: 'done' })),
  )
})
