import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { aSyncTask } from '../../../../test/factories.ts'
import { messages } from '../../../contract/messages.ts'
import { SyncPreset } from '../../../contract/sync-presets.ts'

const URL = '/api/sync_presets'
let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
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

test('presets are listed by name, with the fields they leave out and how many tasks use them', async () => {
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
])('a preset with %s is refused, and the field named', async (_, fields, field) => {
  const reply = await ada.request('POST', URL, { name: 'Refused', excluded_fields: ['Price'], ...fields })
  expect([reply.statusCode, reply.json().field]).toEqual([400, field])
})

test('a name that another preset has is refused', async () => {
  const { name } = await added()
  const reply = await ada.request('POST', URL, { name, excluded_fields: ['Price'] })
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    expect.objectContaining({ field: 'name', message: messages.preset_name_taken }),
  ])
})

test('PUT takes the preset as it was read, keeps what is left out, and tells the second of two editors', async () => {
  const preset = await added()
  const { updated_at, id } = preset
  const first = await ada.request('PUT', `${URL}/${id}`, { ...preset, excluded_fields: ['Barcode'] })
  expect(first.json()).toMatchObject({ name: preset.name, excluded_fields: ['Barcode'] })
  const second = await ada.request('PUT', `${URL}/${id}`, { updated_at, name: 'Too late' })
  expect([second.statusCode, second.json().message]).toEqual([409, messages.stale_update])
  const short = await ada.request('PUT', `${URL}/${id}`, { name: `${preset.name} renamed` })
  expect(short.json()).toMatchObject({ name: `${preset.name} renamed`, excluded_fields: ['Barcode'] })
})

test('a preset is deleted only while no task uses it', async () => {
  const { id } = await added()
  const task = await aSyncTask(app.db, { definition: { sync_preset_id: id } })
  const refused = await ada.request('DELETE', `${URL}/${id}`)
  expect([refused.statusCode, refused.json().message]).toEqual([409, messages.preset_in_use(1)])
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
