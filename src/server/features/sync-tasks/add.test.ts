import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aSpreadsheetId, aSyncTaskBody, aType } from '../../../../test/fixtures/factories.ts'
import { taskEditing } from '../../../../test/fixtures/task-editing.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { SyncTask } from '../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../contract/sync-tasks/client-messages.ts'
import { syncTaskServerMessages } from '../../../contract/sync-tasks/server-messages.ts'

const { app, ada, type, add, added, audited } = await taskEditing()

test('POST /api/sync_tasks returns 201 with the new task, which is in the list and the audit log', async () => {
  const sent = aSyncTaskBody(type.id, { name: '  <img src=x onerror=alert(1)>  ' })
  const reply = await ada.request('POST', '/api/sync_tasks', sent)

  expect(reply.statusCode).toBe(201)
  const task = SyncTask.parse(reply.json())
  const { sort_order, ...kept } = sent
  expect(task).toMatchObject({
    ...kept,
    name: '<img src=x onerror=alert(1)>',
    is_active: true,
    task_status: 'Pending',
  })
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()).toMatchObject({ name: task.name })
  expect(await audited(task.id)).toEqual([{ actor: 'ada@example.com', action: 'create', result: 'done' }])
})

test('sort_order 0 is last within its type', async () => {
  const { id } = await aType(app.db)
  const first = await added({ sync_task_type_id: id })
  const second = await added({ sync_task_type_id: id, sort_order: 40 })
  const third = await added({ sync_task_type_id: id })
  expect([first, second, third].map((task) => task.sort_order)).toEqual([1, 40, 41])
})

test('without a chunk size a task gets its type’s, and other omitted fields their defaults', async () => {
  const {
    chunk_size,
    start_row,
    scheduled_times,
    relevant_user_accounts,
    source_type,
    sort_order,
    ...least
  } = aSyncTaskBody(type.id)
  const reply = await ada.request('POST', '/api/sync_tasks', least)
  expect(reply.json()).toMatchObject({
    chunk_size: 1500,
    start_row: 1,
    scheduled_times: [],
    relevant_user_accounts: [],
    source_type: 'sheet',
  })
})

test('["None"] and an empty list of times both mean: not scheduled', async () => {
  expect((await added({ scheduled_times: ['None'] })).scheduled_times).toEqual([])
  expect((await added({ scheduled_times: [] })).scheduled_times).toEqual([])
})

test('a whole address as spreadsheet id is reduced to the id', async () => {
  const id = aSpreadsheetId()
  const task = await added({
    target_ss_id: ` https://docs.google.com/spreadsheets/u/0/d/${id}/edit?usp=sharing#gid=7 `,
  })
  expect(task.target_ss_id).toBe(id)
})

test.each<[string, object, string, string?]>([
  ['a blank name', { name: ' ' }, 'name', fieldMessages.name_required],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name', fieldMessages.name_too_long],
  ['a name that turns the writing direction', { name: 'abc\u202etxt' }, 'name', fieldMessages.name_invisible],
  ['a name with a zero-width blank', { name: 'ab\u200bc' }, 'name', fieldMessages.name_invisible],
  ['a name with NUL', { name: 'a\u0000b' }, 'name'],
  ['a name with a lone surrogate', { name: 'a\ud800b' }, 'name'],
  ['no name', { name: undefined }, 'name', fieldMessages.name_required],
  ['null for the name', { name: null }, 'name'],
  ['text for a number', { chunk_size: '12' }, 'chunk_size'],
  ['a broken number', { chunk_size: 1.5 }, 'chunk_size'],
  ['null for a number', { chunk_size: null }, 'chunk_size'],
  ['chunk size 0', { chunk_size: 0 }, 'chunk_size'],
  ['start row 0', { start_row: 0 }, 'start_row'],
  ['start row -1', { start_row: -1 }, 'start_row'],
  ['a number past the range', { start_row: 2147483648 }, 'start_row'],
  ['text for a boolean', { is_active: 'false' }, 'is_active'],
  ['an unknown field', { colour: 'red' }, 'colour'],
  ['another source type', { source_type: 'api' }, 'source_type'],
  [
    'a spreadsheet id of 14 characters',
    { source_ss_id: 'x'.repeat(14) },
    'source_ss_id',
    fieldMessages.spreadsheet_id_short,
  ],
  [
    'a spreadsheet id with other characters',
    { target_ss_id: `${'x'.repeat(20)}'!A1` },
    'target_ss_id',
    fieldMessages.spreadsheet_id_invalid,
  ],
  ['no source spreadsheet', { source_ss_id: '' }, 'source_ss_id', fieldMessages.source_spreadsheet_required],
  ['no target tab', { target_sheet_name: '' }, 'target_sheet_name', fieldMessages.sheet_name_required],
  [
    'a line end in its target tab',
    { target_sheet_name: 'Shop\n' },
    'target_sheet_name',
    fieldMessages.sheet_name_control,
  ],
  [
    'a control character in its source tab',
    { source_sheet_name: 'a\u0085b' },
    'source_sheet_name',
    fieldMessages.sheet_name_control,
  ],
  ['the time 24:00', { scheduled_times: ['24:00'] }, 'scheduled_times.0', fieldMessages.time_invalid],
  ['the time 4:00', { scheduled_times: ['04:00', '4:00'] }, 'scheduled_times.1', fieldMessages.time_invalid],
  ['a time twice', { scheduled_times: ['04:00', '04:00'] }, 'scheduled_times', fieldMessages.time_duplicate],
  [
    'None beside a time',
    { scheduled_times: ['None', '04:00'] },
    'scheduled_times.0',
    fieldMessages.time_invalid,
  ],
  [
    '5,000 times',
    { scheduled_times: Array(5000).fill('04:00') },
    'scheduled_times',
    fieldMessages.times_too_many,
  ],
  ['an account that is no address', { relevant_user_accounts: ['ada'] }, 'relevant_user_accounts.0'],
  [
    'an internal source without a configuration',
    { source_type: 'internal' },
    'source_compiler_config_id',
    fieldMessages.config_required,
  ],
])('a new task with %s is refused with the name of the field', async (_, fields, field, message) => {
  const before = await app.db.selectFrom('tasks').select('id').execute()
  const reply = await add(fields)
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ field, ...(message ? { error: message, message } : {}) })
  expect(await app.db.selectFrom('tasks').select('id').execute()).toEqual(before)
})

test('all invalid fields are named at once', async () => {
  const reply = await add({ name: '', start_row: 0 })
  expect(
    reply
      .json()
      .errors.map(({ field }: { field: string }) => field)
      .sort(),
  ).toEqual(['name', 'start_row'])
})

test('a source equal to the target is refused regardless of the case of the tab, also in an edit', async () => {
  const id = aSpreadsheetId()
  const reply = await add({
    source_ss_id: id,
    target_ss_id: id,
    source_sheet_name: 'One',
    target_sheet_name: 'ONE',
  })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({
    field: 'target_sheet_name',
    message: syncTaskMessages.source_is_target,
  })

  const task = await added({
    source_ss_id: id,
    target_ss_id: id,
    source_sheet_name: 'One',
    target_sheet_name: 'Two',
  })
  const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { target_sheet_name: 'one' })
  expect(edit.statusCode).toBe(400)
  expect(edit.json()).toMatchObject({
    field: 'target_sheet_name',
    message: syncTaskMessages.source_is_target,
  })
})

test.each<[string, object, string]>([
  ['task type', { sync_task_type_id: 2147483647 }, 'sync_task_type_id'],
  ['preset', { sync_preset_id: 2147483647 }, 'sync_preset_id'],
  [
    'configuration',
    { source_compiler_config_id: 2147483647, source_type: 'internal' },
    'source_compiler_config_id',
  ],
])('a deleted %s is 422, on adding and on editing', async (_, fields, field) => {
  const reply = await add(fields)
  expect([reply.statusCode, reply.json().field]).toEqual([422, field])
  const task = await added()
  const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, fields)
  expect([edit.statusCode, edit.json().field]).toEqual([422, field])
})

test('a type of another category is 422, too', async () => {
  const source = await aType(app.db, { category: 'source' })
  expect((await add({ sync_task_type_id: source.id })).statusCode).toBe(422)
})

test('a duplicate name within a type is refused with the text of the specification, in another type it is not', async () => {
  const task = await added()
  const reply = await add({ name: task.name })
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({ field: 'name', message: syncTaskMessages.name_taken })
  expect((await add({ name: task.name, sync_task_type_id: (await aType(app.db)).id })).statusCode).toBe(201)
})

test('the source and target of another task are refused, and so is the target tab of another task', async () => {
  const task = await added()
  const { source_ss_id, source_sheet_name, target_ss_id, target_sheet_name } = task
  const same = await add({ source_ss_id, source_sheet_name, target_ss_id, target_sheet_name })
  expect([same.statusCode, same.json().message]).toEqual([409, syncTaskMessages.source_target_taken])
  const target = await add({ target_ss_id, target_sheet_name: target_sheet_name.toUpperCase() })
  expect([target.statusCode, target.json().message]).toEqual([409, syncTaskServerMessages.target_taken])
  expect((await add({ target_ss_id, target_sheet_name: 'Another tab' })).statusCode).toBe(201)
})

describe.each([
  ['full-width letters', 'Ｓｈｏｐ 1'],
  ['a zero-width blank', 'Sh\u200bop 1'],
  ['a soft hyphen and another case', 'SH\u00adOP 1'],
  ['a byte order mark', '\ufeffShop 1'],
  ['a blank that does not break', 'Shop\u00a01'],
])('a tab whose name differs only by %s', (_, lookalike) => {
  test('is refused as the target if another task writes that tab, on adding and on editing', async () => {
    const { target_ss_id } = await added({ target_sheet_name: 'Shop 1' })
    const taken = [409, syncTaskServerMessages.target_taken]
    const reply = await add({ target_ss_id, target_sheet_name: lookalike })
    expect([reply.statusCode, reply.json().message]).toEqual(taken)
    const other = await added({ target_ss_id, target_sheet_name: 'Other' })
    const edit = await ada.request('PUT', `/api/sync_tasks/${other.id}`, { target_sheet_name: lookalike })
    expect([edit.statusCode, edit.json().message]).toEqual(taken)
    const { rows } = await sql<{ tabs: string[] }>`
      select array_agg(target_sheet_name order by task_id) as tabs from sync_tasks where target_ss_id = ${target_ss_id}`.execute(
      app.db,
    )
    expect(rows).toEqual([{ tabs: ['Shop 1', 'Other'] }])
  })

  test('is refused if it is the source tab, and the same task may switch to it', async () => {
    const id = aSpreadsheetId()
    const own = { source_ss_id: id, target_ss_id: id, source_sheet_name: 'Shop 1' }
    const reply = await add({ ...own, target_sheet_name: lookalike })
    expect([reply.statusCode, reply.json().message]).toEqual([400, syncTaskMessages.source_is_target])
    const task = await added({ ...own, target_sheet_name: 'Other' })
    const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { target_sheet_name: lookalike })
    expect([edit.statusCode, edit.json().message]).toEqual([400, syncTaskMessages.source_is_target])
    const alone = await added({ target_sheet_name: 'Shop 1' })
    const renamed = await ada.request('PUT', `/api/sync_tasks/${alone.id}`, { target_sheet_name: lookalike })
    expect(renamed.statusCode).toBe(200)
  })
})
