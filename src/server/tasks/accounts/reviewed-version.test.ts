import { beforeEach, expect, test } from 'vitest'
import type { SignedIn } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId } from '../../../../test/fixtures/factories.ts'
import {
  REVIEWED,
  type ReviewedName,
  reviewedTasks,
  reviewers,
  settings,
} from '../../../../test/fixtures/reviewed-tasks.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'

const people = await reviewers()
const { app, ada, ben, root } = people
let world: World
beforeEach(async () => {
  world = await reviewedTasks(people)
})
type World = Awaited<ReturnType<typeof reviewedTasks>>

const put = async (person: SignedIn, path: string, body: object) => {
  const reply = await person.request('PUT', path, body)
  expect(reply.statusCode, reply.body).toBe(200)
}
const configure = (body: object) => put(ben, `/api/compiler/configs/${world.config.id}`, body)
const upload = (category: 'sync' | 'source', header: string, row: string) =>
  uploadsTo(
    category === 'sync' ? '/api/sync_tasks/import' : '/api/source_tasks/import_csv',
    app,
    ben,
  ).imported(`${header}\r\n${row}\r\n`)

type Change = [what: string, change: (w: World) => Promise<unknown>, stale: ReviewedName[]]

/** Each way in which what a task reads or writes changes, and the tasks whose reviewed version is stale afterwards. */
const changes: Change[] = [
  // what a preset leaves out
  [
    'a preset is emptied but for another column',
    (w) => put(ben, `/api/sync_presets/${w.preset.id}`, { excluded_fields: ['none'] }),
    ['copy', 'compiled'],
  ],
  [
    'a preset leaves out more',
    (w) => put(ben, `/api/sync_presets/${w.preset.id}`, { excluded_fields: ['hidden', 'old', 'SKU'] }),
    ['copy', 'compiled'],
  ],
  // what a configuration merges, and how
  [
    'a configuration merges another source',
    (w) => configure({ source_task_ids: [w.sheet.id, w.api.id, w.through.id, w.more.id] }),
    ['compiled', 'reader'],
  ],
  ['… one fewer', (w) => configure({ source_task_ids: [w.sheet.id, w.through.id] }), ['compiled', 'reader']],
  [
    '… in another order',
    (w) => configure({ source_task_ids: [w.sheet.id, w.through.id, w.api.id] }),
    ['compiled', 'reader'],
  ],
  ['… with another master', (w) => configure({ master_source_id: w.api.id }), ['compiled', 'reader']],
  ['… requires other fields', () => configure({ required_fields: ['Price'] }), ['compiled', 'reader']],
  [
    '… moves fields together',
    () => configure({ field_groups: [['Price', 'Currency']] }),
    ['compiled', 'reader'],
  ],
  [
    '… prefers a source',
    (w) => configure({ field_priorities: [{ field: 'Price', source_task_ids: [w.api.id] }] }),
    ['compiled', 'reader'],
  ],
  [
    '… renames columns',
    (w) => configure({ column_names: [{ source_task_id: w.api.id, column: 'hidden', field: 'Price' }] }),
    ['compiled', 'reader'],
  ],
  [
    'a lone column is named',
    (w) =>
      put204(`/api/compiler/configs/${w.config.id}/column_names`, {
        source_task_id: w.api.id,
        column: 'hidden',
        field: 'Price',
      }),
    ['compiled', 'reader'],
  ],
  [
    'a SKU is mapped',
    (w) =>
      put204(`/api/compiler/configs/${w.config.id}/sku_mappings`, {
        source_task_id: w.api.id,
        sku: 'A',
        master_sku: 'B',
      }),
    ['compiled', 'reader'],
  ],
  // where its sources read
  [
    'a source reads another tab',
    (w) => put(ben, `/api/source_tasks/${w.sheet.id}`, { sheet_name: 'Private' }),
    ['sheet', 'compiled', 'reader'],
  ],
  [
    '… another header row',
    (w) => put(ben, `/api/source_tasks/${w.sheet.id}`, { start_row: 3 }),
    ['sheet', 'compiled', 'reader'],
  ],
  [
    '… another spreadsheet',
    (w) => put(ben, `/api/source_tasks/${w.sheet.id}`, { spreadsheet_id: aSpreadsheetId() }),
    ['sheet', 'compiled', 'reader'],
  ],
  [
    '… another connection',
    (w) => put(ben, `/api/source_tasks/${w.api.id}`, { source_identifier: w.stock_name }),
    ['api', 'compiled', 'reader'],
  ],
  [
    '… something of another kind',
    (w) =>
      put(ben, `/api/source_tasks/${w.api.id}`, {
        source_type: 'internal',
        source_identifier: `task-${w.far.id}`,
      }),
    ['api', 'compiled', 'reader'],
  ],
  [
    '… another task',
    (w) => put(ben, `/api/source_tasks/${w.through.id}`, { source_identifier: `task-${w.more.id}` }),
    ['through', 'compiled', 'reader'],
  ],
  [
    '… as many rows as it likes',
    (w) => put(ben, `/api/source_tasks/${w.sheet.id}`, { min_rows_percent: 0 }),
    ['sheet', 'compiled', 'reader'],
  ],
  [
    '… no more than some rows',
    (w) => put(ben, `/api/source_tasks/${w.sheet.id}`, { max_rows: 5 }),
    ['sheet', 'compiled', 'reader'],
  ],
  [
    'the origin of an origin changes',
    (w) => put(ben, `/api/source_tasks/${w.far.id}`, { source_identifier: w.shop_name }),
    ['far', 'through', 'compiled', 'reader'],
  ],
  [
    'a CSV file changes a source',
    (w) =>
      upload(
        'source',
        'source_task_type_name,name,source_type,spreadsheet_id,sheet_name',
        `,${w.sheet.name},sheet,${aSpreadsheetId()},Private`,
      ),
    ['sheet', 'compiled', 'reader'],
  ],
  // where a connection leads
  [
    'a connection leads elsewhere',
    (w) =>
      put(root, `/api/connections/${w.shop}`, {
        settings: { ...settings, url: 'https://shop.example/secret' },
      }),
    ['api', 'compiled', 'reader'],
  ],
  [
    'a connection far upstream leads elsewhere',
    (w) =>
      put(root, `/api/connections/${w.stock}`, {
        settings: { ...settings, url: 'https://shop.example/secret' },
      }),
    ['far', 'through', 'compiled', 'reader'],
  ],
  [
    'a connection sends another secret',
    (w) =>
      put(root, `/api/connections/${w.shop}`, {
        settings: { ...settings, headers: [{ name: 'X-Key', is_secret: true, value: 'other' }] },
      }),
    ['api', 'compiled', 'reader'],
  ],
  // what the task says itself
  [
    'a copy reads another tab',
    (w) => put(ben, `/api/sync_tasks/${w.copy.id}`, { source_sheet_name: 'Private' }),
    ['copy'],
  ],
  [
    '… writes elsewhere',
    (w) => put(ben, `/api/sync_tasks/${w.compiled.id}`, { target_ss_id: aSpreadsheetId() }),
    ['compiled'],
  ],
  ['… has no preset', (w) => put(ben, `/api/sync_tasks/${w.copy.id}`, { sync_preset_id: null }), ['copy']],
  [
    '… names other accounts',
    (w) => put(ben, `/api/sync_tasks/${w.copy.id}`, { relevant_user_accounts: ['ben@example.com'] }),
    ['copy'],
  ],
  [
    'a CSV file changes a copy',
    async (w) =>
      upload(
        'sync',
        'task_type,name,target_ss_id,target_sheet_name,source_sheet_name',
        [await typeName(w), w.copy.name, await targetOf(w), 'Target', 'Private'].join(','),
      ),
    ['copy'],
  ],
]

const put204 = async (path: string, body: object) => {
  const reply = await ben.request('PUT', path, body)
  expect(reply.statusCode, reply.body).toBeLessThan(300)
}
const typeName = async ({ copy }: World) =>
  (
    await app.db
      .selectFrom('task_types')
      .select('name')
      .where('id', '=', copy.task_type_id ?? 0)
      .executeTakeFirstOrThrow()
  ).name
const targetOf = async ({ copy }: World) =>
  (
    await app.db
      .selectFrom('sync_tasks')
      .select('target_ss_id')
      .where('task_id', '=', copy.id)
      .executeTakeFirstOrThrow()
  ).target_ss_id

test.each(changes)('%s: the reviewed version of tasks that read it changes', async (_, change, stale) => {
  const reviewed = await world.versions()
  await change(world)
  for (const name of stale) {
    const reply = await world.confirm(name, reviewed.get(name))
    expect([name, reply.statusCode, reply.json().message]).toEqual([name, 409, frameMessages.stale_update])
  }
  for (const name of REVIEWED) {
    const read = await world.versionOf(name)
    expect([name, read !== reviewed.get(name)]).toEqual([name, stale.includes(name)])
    expect([name, (await world.confirm(name, read)).statusCode]).toEqual([name, 200])
  }
})

test('a concurrent edit of a preset makes the edit of a task stale, so that no account is assigned to unreviewed columns', async () => {
  const updated_at = await world.versionOf('copy')
  await put(ben, `/api/sync_presets/${world.preset.id}`, { excluded_fields: ['none'] })
  const reply = await ada.request('PUT', world.pathOf('copy'), { start_row: 2, updated_at })
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'stale_update'])
})
