import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSourceTask, aType } from '../../../../test/fixtures/factories.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { CompilerConfig } from '../../../contract/compiler/configs.ts'
import type { FieldCheck, FieldRule } from '../../../contract/field-checks/field-checks.ts'

let app: TestApp
let ada: SignedIn
let ada_id: number
let imported: (content: string) => Promise<unknown>
let sources: { shop: number; prices: number }

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ada@example.com')
    .executeTakeFirstOrThrow()
  ada_id = id
  const uploads = uploadsTo('/api/compiler/configs/import_csv', app, ada)
  imported = (content) => uploads.imported(content)
  const [shop, prices] = [
    await aSourceTask(app.db, { name: 'Shop' }),
    await aSourceTask(app.db, { name: 'Prices; “gross”' }),
  ]
  sources = { shop: shop.id, prices: prices.id }
})

const of = { severity: 'error', keep_out: 'none' } as const
const warned = { severity: 'warning', keep_out: 'none' } as const

/** One check of each kind. */
const checks = ({ prices }: typeof sources): FieldCheck[] => [
  { ...of, field: 'Name', kind: 'required' },
  { ...of, field: 'Price', kind: 'type', type: 'number', keep_out: 'last_good' },
  { ...of, field: 'Price', kind: 'range', min: 0.5, max: null },
  { ...warned, field: 'Name', kind: 'length', min: null, max: 40 },
  { ...of, field: 'Size', kind: 'one_of', values: ['S', 'M, L', '=1+1', '"XL"'] },
  { ...of, field: 'Colour', kind: 'one_of_column', source_task_id: prices, column: 'Colours' },
  { ...warned, field: 'SKU 2', kind: 'pattern', pattern: '[A-Z]{2}-\\d+' },
  { ...of, field: 'GTIN', kind: 'check_digit', code: 'gtin', keep_out: 'blank' },
  { ...warned, field: 'Weight', kind: 'amount', locale: 'de', units: ['kg', 'g'] },
  { ...of, field: 'GTIN', kind: 'unique' },
  { ...of, field: 'Sale', kind: 'compare', operator: '<=', other_field: 'Price' },
  { ...warned, field: 'Price', kind: 'median', percent: 12.5 },
]
const rules: FieldRule[] = [
  { field: 'Name', steps: [{ kind: 'trim' }, { kind: 'case', to: 'title' }] },
  {
    field: 'Colour',
    steps: [{ kind: 'map', values: [{ from: 'blk', to: 'Black' }] }],
  },
  { field: 'Price', steps: [{ kind: 'amount', locale: 'de', part: 'number' }] },
  { field: 'Since', steps: [{ kind: 'date', order: 'dmy' }] },
  { field: 'GTIN', steps: [{ kind: 'zeros', code: 'ean' }] },
]

async function aFullConfig(name: string): Promise<CompilerConfig> {
  const { shop, prices } = sources
  const reply = await ada.request('POST', '/api/compiler/configs', {
    name,
    description: 'Two\nlines, “quoted”',
    is_active: false,
    source_task_ids: [prices, shop],
    master_source_id: shop,
    required_fields: ['Name', 'Price'],
    field_groups: [['Price', 'Sale']],
    field_priorities: [{ field: 'Price', source_task_ids: [prices, shop] }],
    column_names: [{ source_task_id: prices, column: 'Preis', field: 'Price' }],
    field_checks: checks(sources),
    field_rules: rules,
    approval_percent: 15,
    stale_days: 9,
    tags: ['shop', 'weekly'],
    notes: 'Ask Grace.',
    owner_id: ada_id,
  })
  const config = CompilerConfig.parse(reply.json())
  await ada.request('PUT', `/api/compiler/configs/${config.id}/sku_mappings`, {
    source_task_id: prices,
    sku: 'p-1',
    master_sku: 'A-1',
  })
  return config
}

const exported = async () => (await ada.request('GET', '/api/compiler/configs/export_csv')).body
const configs = async () =>
  z.array(CompilerConfig).parse((await ada.request('GET', '/api/compiler/configs')).json())
const mappings = async (id: number) =>
  (await ada.request('GET', `/api/compiler/configs/${id}/sku_mappings`)).json()

test('a configuration with everything in it is the same after an export, a deletion and an import', async () => {
  const before = await aFullConfig('Catalogue')
  const mapped = await mappings(before.id)
  expect(mapped).toHaveLength(1)
  const file = await exported()
  expect(await imported(file)).toMatchObject({ created: 0, updated: 0, unchanged: 1, failed: 0 })
  await ada.request('DELETE', `/api/compiler/configs/${before.id}`)
  expect(await imported(file)).toMatchObject({ created: 1, failed: 0 })
  const [after] = await configs()
  expect(before.owner).toMatchObject({ id: ada_id })
  const { id, task_id, created_at, updated_at, ...same } = before
  expect(after).toMatchObject(same)
  expect(await mappings(after?.id ?? 0)).toEqual(mapped)
  expect(await exported()).toBe(file)
})

test('a file changes what its columns say, and nothing else', async () => {
  const { id } = await aFullConfig('Changed')
  const row = [
    'Changed',
    '"[""GTIN""]"',
    '30',
    '"[{""source"":""Shop"",""sku"":""s-1"",""master_sku"":""A-2""}]"',
  ]
  const file = `name,required_fields,approval_percent,sku_mappings\n${row.join(',')}\n`
  expect(await imported(file)).toMatchObject({ updated: 1 })
  const changed = (await configs()).find((config) => config.id === id)
  expect(changed).toMatchObject({
    required_fields: ['GTIN'],
    approval_percent: 30,
    field_checks: checks(sources),
    notes: 'Ask Grace.',
  })
  expect(await mappings(id)).toMatchObject([{ source_task_id: sources.shop, sku: 's-1', master_sku: 'A-2' }])
  expect(await imported(file)).toMatchObject({ unchanged: 1 })
})

test.each([
  ['sources', '"[""Nowhere""]"', 'There is no source task ‘Nowhere’'],
  ['sources', 'Shop', 'Enter a JSON list'],
  ['field_checks', '"[{""kind"":""magic""}]"', 'Unknown kind of check'],
  [
    'field_checks',
    '"[{""kind"":""pattern"",""field"":""A"",""pattern"":""("",""severity"":""error"",""keep_out"":""none""}]"',
    'not a valid RE2 expression',
  ],
  ['master_source', 'Prices; “gross”', 'must be one of the sources'],
  ['approval_percent', '101', 'from 0 to 100'],
  ['owner', 'nobody@example.com', 'nobody@example.com'],
  [
    'sku_mappings',
    '"[{""source"":""Prices; “gross”"",""sku"":""a"",""master_sku"":""b""}]"',
    'is not among the sources',
  ],
])(
  'a row with a wrong value in %s (%s) is refused, with its column and the reason',
  async (column, cell, reason) => {
    const base = { name: 'New', sources: '"[""Shop""]"', master_source: 'Shop' }
    const row = { ...base, [column]: cell }
    const file = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`
    const before = (await configs()).length
    expect(await imported(file)).toMatchObject({
      failed: 1,
      errors: [{ row: 2, field: column, message: expect.stringContaining(reason) }],
    })
    expect((await configs()).length).toBe(before)
  },
)

test('sources with the same name are written by their number, which an import understands', async () => {
  const type = await aType(app.db, { category: 'source' })
  await aSourceTask(app.db, { name: 'Shop', task_type_id: type.id })
  const before = await aFullConfig('Numbered')
  const file = await exported()
  expect(file).toContain(`task-${sources.shop}`)
  await ada.request('DELETE', `/api/compiler/configs/${before.id}`)
  expect(await imported(file)).toMatchObject({ created: 1, failed: 0 })
  expect(await imported('name,sources,master_source\nOther,"[""Shop""]",Shop\n')).toMatchObject({
    errors: [{ message: expect.stringContaining('2 source tasks are called ‘Shop’. Write task-') }],
  })
})
