import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { aSourceTaskBody, sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'

let app: TestApp
let ada: SignedIn
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  tasks = sourceTasksOf(ada)
})

const sourceType = (fields: object = {}) => aType(app.db, { category: 'source', ...fields })
const auditOf = (id: number) =>
  app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'source_task')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute()

test('POST /api/source_tasks returns 201 with the new task, which is in the list and the audit log and has its creator’s account', async () => {
  const type = await sourceType({ chunk_size: 700 })
  const spreadsheet_id = aSpreadsheetId()
  const body = aSourceTaskBody({
    source_task_type_id: type.id,
    spreadsheet_id,
    source_identifier: 'spring_2026',
    description: ' Two\nlines ',
    is_master_catalog: true,
  })
  const task = await tasks.add(body)
  expect(task).toMatchObject({
    ...body,
    description: 'Two\nlines',
    source_task_type_name: type.name,
    is_active: true,
    running_status: 'new',
    is_running: false,
    retry_count: 0,
    min_rows_percent: 50,
    max_rows: 5_000_000,
    start_row: 1,
    relevant_user_accounts: [],
    next_run_time: null,
    last_run_time: null,
    last_error: null,
    pulled_at: null,
    changed_at: null,
    row_count: null,
    waiting: null,
    account: { email: 'ada@example.com', is_usable: true },
  })
  expect(await tasks.list(`?source_task_type_id=${type.id}`)).toMatchObject([{ id: task.id }])
  expect(await auditOf(task.id)).toMatchObject([
    { actor: 'ada@example.com', action: 'create', details: { name: body.name, spreadsheet_id } },
  ])
})

test('without a chunk size a task gets its type’s, without a type 1', async () => {
  const type = await sourceType({ chunk_size: 700 })
  expect(await tasks.add({ source_task_type_id: type.id })).toMatchObject({ chunk_size: 700 })
  expect(await tasks.add()).toMatchObject({ chunk_size: 1, source_task_type_id: null })
  expect(await tasks.add({ source_task_type_id: type.id, chunk_size: 9 })).toMatchObject({ chunk_size: 9 })
})

test('older field names are accepted and returned under the main names, which take precedence', async () => {
  const [type, other] = [await sourceType(), await sourceType()]
  const [id, other_id] = [aSpreadsheetId(), aSpreadsheetId()]
  const older = { name: 'By older names', source_type: 'sheet', source_ss_id: id, source_sheet_name: 'Old' }
  expect(
    await tasks.add({
      ...older,
      spreadsheet_id: undefined,
      sheet_name: undefined,
      unified_task_type_id: type.id,
    }),
  ).toMatchObject({
    spreadsheet_id: id,
    sheet_name: 'Old',
    source_task_type_id: type.id,
  })
  const both = {
    ...older,
    name: 'By both',
    spreadsheet_id: other_id,
    sheet_name: 'New',
    source_task_type_id: other.id,
    unified_task_type_id: type.id,
    sync_task_type_id: type.id,
  }
  const task = await tasks.add(both)
  expect(task).toMatchObject({ spreadsheet_id: other_id, sheet_name: 'New', source_task_type_id: other.id })
  for (const alias of ['source_ss_id', 'source_sheet_name', 'unified_task_type_id', 'sync_task_type_id'])
    expect(task).not.toHaveProperty(alias)
  // None is a value, too.
  expect(
    await tasks.add({ name: 'By none', source_task_type_id: null, sync_task_type_id: type.id }),
  ).toMatchObject({ source_task_type_id: null })
  expect(
    await tasks.change(task.id, { sync_task_type_id: type.id, source_sheet_name: 'Older' }),
  ).toMatchObject({
    source_task_type_id: type.id,
    sheet_name: 'Older',
  })
})

test('read-only fields are accepted and ignored: a task can be sent as it was read', async () => {
  const task = await tasks.get((await tasks.add()).id)
  const copy = await tasks.add({ ...task, name: 'A copy', running_status: 'failed', last_error: 'x' })
  expect(copy).toMatchObject({ name: 'A copy', running_status: 'new', last_error: null })
  expect(copy.id).not.toBe(task.id)
})

test('an address of a spreadsheet is reduced to its id', async () => {
  const id = aSpreadsheetId()
  const address = `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`
  expect(await tasks.add({ spreadsheet_id: address })).toMatchObject({ spreadsheet_id: id })
})

const refused: [field: string, value: unknown, message: string][] = [
  ['name', undefined, fieldMessages.name_required],
  ['name', ' ', fieldMessages.name_required],
  ['name', 'x'.repeat(101), fieldMessages.name_too_long],
  ['name', 'a\u202eb', fieldMessages.name_invisible],
  ['name', 7, 'name must be text'],
  ['source_type', undefined, sourceMessages.source_type_required],
  ['source_type', '', sourceMessages.source_type_required],
  ['source_type', 'ftp', 'source_type must be one of "sheet", "api", "database", "internal"'],
  ['chunk_size', 0, sourceMessages.chunk_size_low],
  ['chunk_size', 1.5, 'chunk_size must be a whole number'],
  ['chunk_size', '7', 'chunk_size must be a number'],
  ['chunk_size', limits.chunk_size_max + 1, `chunk_size must be at most ${limits.chunk_size_max}`],
  ['source_identifier', 'a', sourceMessages.identifier_invalid],
  ['source_identifier', 'x'.repeat(61), sourceMessages.identifier_invalid],
  ['source_identifier', 'spring 2026', sourceMessages.identifier_invalid],
  ['source_identifier', "x'; drop table tasks", sourceMessages.identifier_invalid],
  ['description', 'x'.repeat(513), sourceMessages.description_long],
  ['spreadsheet_id', 'x'.repeat(14), fieldMessages.spreadsheet_id_short],
  ['spreadsheet_id', '', sourceMessages.spreadsheet_required],
  ['spreadsheet_id', undefined, sourceMessages.spreadsheet_required],
  ['spreadsheet_id', '../../etc/passwd', fieldMessages.file_path_invalid],
  ['spreadsheet_id', 'Suppliers/../../etc/passwd', fieldMessages.file_path_invalid],
  ['source_ss_id', 'x'.repeat(14), fieldMessages.spreadsheet_id_short],
  ['sheet_name', '', sourceMessages.sheet_name_required],
  ['sheet_name', '  ', sourceMessages.sheet_name_required],
  ['sheet_name', undefined, sourceMessages.sheet_name_required],
  ['sheet_name', 'x'.repeat(101), fieldMessages.sheet_name_too_long],
  ['source_task_type_id', 'Nightly', 'source_task_type_id must be a number'],
  ['source_task_type_id', 0, 'source_task_type_id must be at least 1'],
  ['is_active', 'yes', 'is_active must be true or false'],
  ['is_master_catalog', 1, 'is_master_catalog must be true or false'],
  ['min_rows_percent', 101, 'min_rows_percent must be at most 100'],
  ['min_rows_percent', -1, 'min_rows_percent must be at least 0'],
  ['start_row', 0, 'start_row must be at least 1'],
  ['max_rows', 0, 'max_rows must be at least 1'],
  ['max_rows', limits.source_rows_max + 1, `max_rows must be at most ${limits.source_rows_max}`],
  ['relevant_user_accounts', 'ada@example.com', 'relevant_user_accounts must be a list'],
  ['unheard_of', 1, 'Unknown field: unheard_of'],
]
test.each(refused)('%s of %j is refused with 400: %s', async (field, value, message) => {
  expect(await tasks.post(aSourceTaskBody({ [field]: value }))).toMatchObject([400, { field, message }])
})

test('for a sheet without id and tab both fields are named', async () => {
  expect(await tasks.post({ name: 'No sheet', source_type: 'sheet' })).toMatchObject([
    400,
    {
      field: 'spreadsheet_id',
      message: 'Source Spreadsheet ID required',
      errors: [
        { field: 'spreadsheet_id', message: 'Source Spreadsheet ID required' },
        { field: 'sheet_name', message: 'Source Sheet Name required' },
      ],
    },
  ])
})

test('an account that its owner has not shared is refused', async () => {
  await app.signIn('private@example.com')
  const body = aSourceTaskBody({ relevant_user_accounts: ['Private@Example.com'] })
  expect(await tasks.post(body)).toMatchObject([400, { field: 'relevant_user_accounts' }])
})

test('a deleted type or one of another category is 422', async () => {
  const sync = await aType(app.db)
  for (const source_task_type_id of [2_147_483_647, sync.id])
    expect(await tasks.post(aSourceTaskBody({ source_task_type_id }))).toMatchObject([
      422,
      { code: 'type_gone', field: 'source_task_type_id' },
    ])
})

test('names are unique within a type, and among the tasks without one', async () => {
  const [type, other] = [await sourceType(), await sourceType()]
  for (const source_task_type_id of [type.id, null]) {
    await tasks.add({ name: 'Unique', source_task_type_id })
    expect(await tasks.post(aSourceTaskBody({ name: ' Unique ', source_task_type_id }))).toMatchObject([
      409,
      { code: 'name_taken', field: 'name', message: syncTaskMessages.name_taken },
    ])
  }
  const third = await tasks.add({ name: 'Unique', source_task_type_id: other.id })
  expect(await tasks.put(third.id, { source_task_type_id: null })).toMatchObject([409, { field: 'name' }])
})

test('of ten concurrent requests to add the same name one gets 201, the others 409', async () => {
  const body = aSourceTaskBody({ name: 'Raced' })
  const replies = await Promise.all(Array.from({ length: 10 }, () => tasks.post(body)))
  expect(replies.map(([status]) => status).sort()).toEqual([201, ...Array(9).fill(409)])
})

test('a spreadsheet that the account cannot open is saved with a warning', async () => {
  expect((await tasks.add()).warnings).toEqual([expect.stringContaining('source')])
})
