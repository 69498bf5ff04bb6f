import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { lockWaits } from '../../../../test/fixtures/database.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'
import { SyncPreset } from '../../../contract/sync-presets/calls.ts'
import { presetServerMessages } from '../../../contract/sync-presets/server-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'

const URL = '/api/sync_presets'
let app: TestApp
let ada: SignedIn
let bob: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  bob = await app.signIn('bob@example.com')
})

let serial = 0
async function added(fields: object = {}): Promise<SyncPreset> {
  serial += 1
  const reply = await ada.request('POST', URL, {
    name: `Preset ${serial}`,
    excluded_fields: ['Price'],
    ...fields,
  })
  expect(reply.statusCode).toBe(201)
  return SyncPreset.parse(reply.json())
}

test('presets are listed by name, with their excluded fields and number of tasks', async () => {
  expect((await ada.request('GET', URL)).json()).toEqual([])
  const prices = await added({ name: 'Without prices', excluded_fields: [' Price ', 'Cost', 'Price'] })
  await added({ name: 'Everything but remarks', excluded_fields: ['Remark'] })
  await aSyncTask(app.db, { definition: { sync_preset_id: prices.id } })
  expect((await ada.request('GET', URL)).json()).toEqual([
    expect.objectContaining({ name: 'Everything but remarks', excluded_fields: ['Remark'], tasks_count: 0 }),
    { ...prices, excluded_fields: ['Price', 'Cost'], tasks_count: 1 },
  ])
})

test.each<[string, object, string]>([
  ['a blank name', { name: ' ' }, 'name'],
  ['no fields', { excluded_fields: [] }, 'excluded_fields'],
  ['a blank field', { excluded_fields: ['Price', ' '] }, 'excluded_fields.1'],
  ['a number for a field', { excluded_fields: [7] }, 'excluded_fields.0'],
  ['an unknown field', { colour: 'red' }, 'colour'],
])('a preset with %s is refused with the name of the field', async (_, fields, field) => {
  const reply = await ada.request('POST', URL, { name: 'Refused', excluded_fields: ['Price'], ...fields })
  expect([reply.statusCode, reply.json().field]).toEqual([400, field])
})

test('a duplicate preset name is refused', async () => {
  const { name } = await added()
  const reply = await ada.request('POST', URL, { name, excluded_fields: ['Price'] })
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    expect.objectContaining({ field: 'name', message: presetServerMessages.preset_name_taken }),
  ])
})

test('PUT accepts a preset as read, keeps omitted fields, and refuses the second of two concurrent edits', async () => {
  const preset = await added()
  const { updated_at, id } = preset
  const first = await ada.request('PUT', `${URL}/${id}`, { ...preset, excluded_fields: ['Barcode'] })
  expect(first.json()).toMatchObject({ name: preset.name, excluded_fields: ['Barcode'] })
  const second = await ada.request('PUT', `${URL}/${id}`, { updated_at, name: 'Too late' })
  expect([second.statusCode, second.json().message]).toEqual([409, frameMessages.stale_update])
  const short = await ada.request('PUT', `${URL}/${id}`, { name: `${preset.name} renamed` })
  expect(short.json()).toMatchObject({ name: `${preset.name} renamed`, excluded_fields: ['Barcode'] })
})

describe('a preset that a colleague’s task uses', () => {
  const put = (id: number, fields: object) => bob.request('PUT', `${URL}/${id}`, fields)
  let preset: SyncPreset

  beforeEach(async () => {
    preset = await added({ excluded_fields: ['Salary', 'Bonus'] })
    const account_user_id = await userId('ada@example.com')
    await aSyncTask(app.db, { account_user_id, definition: { sync_preset_id: preset.id } })
  })

  test('must keep its excluded fields, since their columns would be read with the colleague’s grant', async () => {
    for (const excluded_fields of [['Bonus'], ['Bonus', 'Price', 'Cost']]) {
      const reply = await put(preset.id, { ...preset, excluded_fields })
      expect([reply.statusCode, reply.json().message]).toEqual([409, presetServerMessages.preset_decides(1)])
    }
    const [kept] = await app.db
      .selectFrom('sync_presets')
      .select('excluded_fields')
      .where('id', '=', preset.id)
      .execute()
    expect(kept).toEqual({ excluded_fields: ['Salary', 'Bonus'] })
  })

  test('may be renamed and exclude more fields', async () => {
    const excluded_fields = ['Price', 'Bonus', 'Salary']
    const reply = await put(preset.id, { name: `${preset.name} renamed`, excluded_fields })
    expect(reply.json()).toMatchObject({ excluded_fields })
  })

  test('may be changed in any way by the user whose account its tasks use', async () => {
    const reply = await ada.request('PUT', `${URL}/${preset.id}`, { excluded_fields: ['Price'] })
    expect(reply.statusCode).toBe(200)
  })
})

test('a preset is not changed while a colleague’s task starts to use it', async () => {
  const preset = await added({ excluded_fields: ['Salary', 'Bonus'] })
  const task = await aSyncTask(app.db, { account_user_id: await userId('ada@example.com') })
  const taken = await app.db.startTransaction().execute()
  await taken
    .updateTable('sync_tasks')
    .set({ sync_preset_id: preset.id })
    .where('task_id', '=', task.id)
    .execute()
  const reply = bob.request('PUT', `${URL}/${preset.id}`, { excluded_fields: ['Bonus'] })
  await expect.poll(() => lockWaits(app.db)).toBe(1)
  await taken.commit().execute()
  expect((await reply).statusCode).toBe(409)
})

const userId = async (email: string) =>
  (await app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

test('a preset is deleted only while no task uses it', async () => {
  const { id } = await added()
  const task = await aSyncTask(app.db, { definition: { sync_preset_id: id } })
  const refused = await ada.request('DELETE', `${URL}/${id}`)
  expect([refused.statusCode, refused.json().message]).toEqual([409, presetServerMessages.preset_in_use(1)])
  await app.db.deleteFrom('tasks').where('id', '=', task.id).execute()
  expect((await ada.request('DELETE', `${URL}/${id}`)).statusCode).toBe(204)
  expect((await ada.request('DELETE', `${URL}/${id}`)).statusCode).toBe(404)
  expect((await ada.request('PUT', `${URL}/${id}`, { name: 'Gone' })).statusCode).toBe(404)
  const audit = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('object_type', '=', 'sync_preset')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()
  expect(audit.map(({ action }) => action)).toEqual(['create', 'delete'])
})
