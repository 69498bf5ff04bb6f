import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSourceTask } from '../../../../test/fixtures/factories.ts'
import { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { compilerFieldMessages } from '../../../contract/compiler/field-messages.ts'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'

const URL = '/api/compiler/configs'
let app: TestApp
let ada: SignedIn
let one: number
let two: number
let stranger: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  one = (await aSourceTask(app.db)).id
  two = (await aSourceTask(app.db)).id
  stranger = (await aSourceTask(app.db)).id
})

let serial = 0
const post = (settings: object) =>
  ada.request('POST', URL, {
    name: `Settings ${++serial}`,
    source_task_ids: [one, two],
    master_source_id: one,
    ...settings,
  })

const none = { required_fields: [], field_groups: [], field_priorities: [], column_names: [] }

test('merge settings are returned as sent; omitted, they are empty, and an edit keeps the others', async () => {
  const plain = CompilerConfig.parse((await post({})).json())
  expect(plain).toMatchObject(none)
  const settings = {
    required_fields: ['Name', 'Price'],
    field_groups: [['Price', 'Currency', 'Unit']],
    field_priorities: [{ field: 'Price', source_task_ids: [two] }],
    column_names: [
      { source_task_id: two, column: 'EAN', field: 'SKU' },
      { source_task_id: two, column: 'Cost', field: 'Price' },
    ],
  }
  const config = CompilerConfig.parse((await post(settings)).json())
  expect(config).toMatchObject(settings)
  const put = async (fields: object) =>
    CompilerConfig.parse((await ada.request('PUT', `${URL}/${config.id}`, fields)).json())
  expect(await put({ required_fields: [] })).toMatchObject({ ...settings, required_fields: [] })
  expect(await put({ description: 'Changed' })).toMatchObject({ ...settings, required_fields: [] })
  const latest = await put({})
  expect(await put({ ...latest, ...none })).toMatchObject(none)
})

type Refusal = [string, () => object, field: string, message?: string]
const refusals: Refusal[] = [
  [
    'a blank field',
    () => ({ required_fields: [''] }),
    'required_fields.0',
    compilerFieldMessages.field_blank,
  ],
  [
    'a field twice',
    () => ({ required_fields: ['A', 'A'] }),
    'required_fields',
    compilerFieldMessages.field_twice,
  ],
  ['a group of one', () => ({ field_groups: [['A']] }), 'field_groups.0', compilerFieldMessages.group_small],
  [
    'a field in two groups',
    () => ({
      field_groups: [
        ['A', 'B'],
        ['B', 'C'],
      ],
    }),
    'field_groups',
    compilerFieldMessages.field_in_groups,
  ],
  [
    'a source twice in a priority',
    () => ({ field_priorities: [{ field: 'A', source_task_ids: [one, one] }] }),
    'field_priorities.0.source_task_ids',
    compilerFieldMessages.source_twice,
  ],
  [
    'two priorities of a field',
    () => ({
      field_priorities: [
        { field: 'A', source_task_ids: [one] },
        { field: 'A', source_task_ids: [two] },
      ],
    }),
    'field_priorities',
    compilerFieldMessages.field_twice,
  ],
  [
    'two priorities within a group',
    () => ({
      field_groups: [['A', 'B']],
      field_priorities: [
        { field: 'A', source_task_ids: [one] },
        { field: 'B', source_task_ids: [two] },
      ],
    }),
    'field_priorities',
    compilerFieldMessages.priority_in_group('A', 'B'),
  ],
  [
    'a priority of a source that is not merged',
    () => ({ field_priorities: [{ field: 'A', source_task_ids: [stranger] }] }),
    'field_priorities',
  ],
  [
    'a column of a source that is not merged',
    () => ({ column_names: [{ source_task_id: stranger, column: 'A', field: 'B' }] }),
    'column_names',
  ],
  [
    'two names for a column',
    () => ({ column_names: ['B', 'C'].map((field) => ({ source_task_id: one, column: 'A', field })) }),
    'column_names',
    compilerFieldMessages.column_twice,
  ],
]

test.each(refusals)(
  'settings with %s are refused with 400 and the name of the field',
  async (_, settings, field, message) => {
    const reply = await post(settings())
    expect([reply.statusCode, reply.json().field]).toEqual([400, field])
    expect(reply.json().message).toBe(message ?? compilerServerMessages.source_not_merged(stranger))
  },
)

test('a source cannot be removed while settings name it, and nothing of the edit is stored', async () => {
  const column_names = [{ source_task_id: two, column: 'EAN', field: 'SKU' }]
  const { id } = CompilerConfig.parse((await post({ column_names })).json())
  const put = (fields: object) => ada.request('PUT', `${URL}/${id}`, fields)
  const refused = await put({ description: 'Half', source_task_ids: [one] })
  expect([refused.statusCode, refused.json().field]).toEqual([400, 'column_names'])
  const kept = await put({})
  expect(kept.json()).toMatchObject({ description: '', source_task_ids: [one, two], column_names })
  expect((await put({ source_task_ids: [one], column_names: [] })).statusCode).toBe(200)
})
