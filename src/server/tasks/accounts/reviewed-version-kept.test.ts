import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { SignedIn } from '../../../../test/fixtures/app.ts'
import { reviewedTasks, reviewers } from '../../../../test/fixtures/reviewed-tasks.ts'
import { SyncTask } from '../../../contract/sync-tasks/calls.ts'

const people = await reviewers()
const { app, ben } = people
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
test.each<[string, (w: World) => Promise<unknown>]>([
  [
    'a preset is renamed',
    (w) => put(ben, `/api/sync_presets/${w.preset.id}`, { name: `${w.preset.name} renamed` }),
  ],
  [
    'a preset is saved as it was',
    (w) => put(ben, `/api/sync_presets/${w.preset.id}`, { excluded_fields: ['hidden', 'old'] }),
  ],
  ['a configuration is described', () => configure({ description: 'New' })],
  [
    'a configuration is saved as it was',
    (w) =>
      configure({
        source_task_ids: [w.sheet.id, w.api.id, w.through.id],
        master_source_id: w.sheet.id,
        required_fields: [],
      }),
  ],
  [
    'the tab of a source was renamed, as a run found',
    (w) =>
      app.db
        .updateTable('source_tasks')
        .set({ sheet_name: 'Renamed', place: '7', pulled_at: new Date() })
        .where('task_id', '=', w.sheet.id)
        .execute(),
  ],
])('%s: nothing else is read or written, so the reviewed version stays', async (_, change) => {
  const reviewed = await world.versions()
  await change(world)
  expect(await world.versions()).toEqual(reviewed)
})

test('a task shows the columns that its preset excludes together with the version to confirm', async () => {
  const read = async () => SyncTask.parse((await ben.request('GET', world.pathOf('copy'))).json())
  const before = await read()
  expect(before.excluded_fields).toEqual(['hidden', 'old'])
  await put(ben, `/api/sync_presets/${world.preset.id}`, { excluded_fields: ['none'] })
  const after = await read()
  expect(after.excluded_fields).toEqual(['none'])
  expect(after.updated_at > before.updated_at).toBe(true)
  await put(ben, world.pathOf('copy'), { ...after, sync_preset_id: null })
  expect((await read()).excluded_fields).toEqual([])
})

test('each stored column either changes the reviewed version or does not affect what is read', async () => {
  const decides = {
    sync_presets: ['excluded_fields'],
    compiler_configs: [
      'required_fields',
      'field_groups',
      'field_priorities',
      'column_names',
      'field_checks',
      'field_rules',
      'approval_percent',
      'stale_days',
    ],
    compiler_sources: ['compiler_config_id', 'source_task_id', 'position', 'is_master'],
    compiler_sku_mappings: ['compiler_config_id', 'source_task_id', 'sku', 'master_sku'],
    connections: ['settings', 'secrets'],
    source_tasks: [
      'source_type',
      'provider',
      'spreadsheet_id',
      'sheet_name',
      'connection_id',
      'origin_task_id',
      'min_rows_percent',
      'max_rows',
      'start_row',
      'csv_delimiter',
      'csv_encoding',
      'csv_quote',
    ],
  }
  const does_not = {
    sync_presets: ['id', 'name', 'created_at', 'updated_at'],
    compiler_configs: ['id', 'task_id', 'description'],
    compiler_sources: ['category'],
    compiler_sku_mappings: ['category'],
    // The kind never changes; the key only says how the secrets are sealed.
    connections: ['id', 'name', 'kind', 'key_id', 'created_by', 'created_at', 'updated_at'],
    // Values recorded by runs, texts, and the identifier next to its reference.
    source_tasks: [
      'task_id',
      'spreadsheet_name',
      'names_due_at',
      'place',
      'sheet_id',
      'source_identifier',
      'is_master_catalog',
      'description',
      'pulled_at',
      'changed_at',
      'validator',
      'file_expected_hours',
    ],
  }
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = 'public' and table_name = any (${Object.keys(decides)}::text[])`.execute(app.db)
  const named = [decides, does_not].flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
  )
  expect(rows.map(({ column }) => column).sort()).toEqual(named.sort())
})
