import { expect, test } from 'vitest'
import { aRun, aSpreadsheetId, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { taskEditing } from '../../../../test/fixtures/task-editing.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

const { app, ada, added, audited } = await taskEditing()

test('an edit cannot remove the source or configuration either', async () => {
  const task = await added()
  const noSource = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { source_ss_id: '' })
  expect(noSource.statusCode).toBe(400)
  expect(noSource.json()).toMatchObject({
    field: 'source_ss_id',
    message: fieldMessages.source_spreadsheet_required,
  })
  const noConfig = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { source_type: 'internal' })
  expect(noConfig.statusCode).toBe(400)
  expect(noConfig.json()).toMatchObject({
    field: 'source_compiler_config_id',
    message: fieldMessages.config_required,
  })
})

test('PUT accepts a task as read, changes what differs, and ignores read-only fields', async () => {
  const task = await added()
  const read = (await ada.request('GET', `/api/sync_tasks/${task.id}`)).json()
  const reply = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    ...read,
    name: 'Renamed',
    sort_order: 99,
    task_status: 'Success',
    id: 7,
  })
  expect(reply.statusCode).toBe(200)
  const { name, updated_at, ...rest } = task
  expect(reply.json()).toMatchObject({ ...rest, name: 'Renamed' })
  expect(reply.json().updated_at > updated_at).toBe(true)
})

test('PUT keeps the value of omitted fields', async () => {
  const task = await added({ start_row: 3 })
  const reply = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { chunk_size: 77 })
  const { updated_at, ...rest } = task
  expect(reply.json()).toMatchObject({ ...rest, chunk_size: 77 })
})

test('a task that changes its type becomes the last one there', async () => {
  const task = await added()
  const other = await aType(app.db)
  for (const sort_order of [3, 7]) await aSyncTask(app.db, { task_type_id: other.id, sort_order })
  const moved = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    ...task,
    sync_task_type_id: other.id,
  })
  expect(moved.json()).toMatchObject({ sort_order: 8, position_actions: { current_position: 3 } })
  const again = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    sync_task_type_id: other.id,
    start_row: 2,
  })
  expect(again.json()).toMatchObject({ sort_order: 8, start_row: 2 })
})

test('of two concurrent edits of a task the second is refused and changes nothing', async () => {
  const task = await added()
  const bob = await app.signIn('bob@example.com')
  const { updated_at } = task
  const [one, other] = await Promise.all([
    ada.request('PUT', `/api/sync_tasks/${task.id}`, { updated_at, name: `${task.name} by Ada` }),
    bob.request('PUT', `/api/sync_tasks/${task.id}`, { updated_at, name: `${task.name} by Bob` }),
  ])
  expect([one.statusCode, other.statusCode].sort()).toEqual([200, 409])
  const [kept, refused] = one.statusCode === 200 ? [one, other] : [other, one]
  expect(refused.json().message).toBe(frameMessages.stale_update)
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json().name).toBe(kept.json().name)
})

test('a toggle also makes an edit stale and returns the new updated_at', async () => {
  const task = await added()
  const toggled = (await ada.request('POST', `/api/sync_tasks/${task.id}/toggle_active`, {})).json()
  const stale = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { ...task, name: 'Too late' })
  expect(stale.statusCode).toBe(409)
  const fresh = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
    updated_at: toggled.updated_at,
    start_row: 2,
  })
  expect(fresh.json()).toMatchObject({ start_row: 2, is_active: false })
})

test.each(['queued', 'running', 'stopping'] as const)(
  'a task whose run is %s is neither edited nor deleted',
  async (state) => {
    const task = await added()
    await aRun(app.db, task.id, { state })
    const edit = await ada.request('PUT', `/api/sync_tasks/${task.id}`, { start_row: 2 })
    expect([edit.statusCode, edit.json().message]).toEqual([409, taskMessages.live_edit])
    const removal = await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
    expect([removal.statusCode, removal.json().message]).toEqual([409, taskMessages.live_delete])
    expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).json().start_row).toBe(1)
  },
)

test('DELETE returns 204, deletes the log, keeps the history and is audited', async () => {
  const task = await added()
  const run = await aRun(app.db, task.id, { state: 'success' })
  const reply = await ada.request('DELETE', `/api/sync_tasks/${task.id}`)
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}`)).statusCode).toBe(404)
  expect((await ada.request('DELETE', `/api/sync_tasks/${task.id}`)).statusCode).toBe(404)
  expect(await app.db.selectFrom('runs').select('task_id').where('id', '=', run.id).execute()).toEqual([
    { task_id: null },
  ])
  expect((await audited(task.id)).map(({ action }) => action)).toEqual(['create', 'delete'])
})

test('what runs stored about a tab is cleared only when the task gets another tab', async () => {
  const task = await aSyncTask(app.db, {
    definition: {
      source_sheet_id: 1,
      source_ss_name: 'S',
      target_sheet_id: 2,
      target_ss_name: 'T',
      owned_columns: 3,
      owned_rows: 4,
    },
  })
  const found = () =>
    app.db
      .selectFrom('sync_tasks')
      .select([
        'source_sheet_id',
        'source_ss_name',
        'target_sheet_id',
        'target_ss_name',
        'owned_columns',
        'owned_rows',
      ])
      .where('task_id', '=', task.id)
      .executeTakeFirstOrThrow()
  const url = `/api/sync_tasks/${task.id}`
  const all = {
    source_sheet_id: 1,
    source_ss_name: 'S',
    target_sheet_id: 2,
    target_ss_name: 'T',
    owned_columns: 3,
    owned_rows: 4,
  }

  await ada.request('PUT', url, { ...(await ada.request('GET', url)).json(), name: 'Only another name' })
  expect(await found()).toEqual(all)
  await ada.request('PUT', url, { source_sheet_name: 'Another' })
  expect(await found()).toEqual({ ...all, source_sheet_id: null })
  await ada.request('PUT', url, { target_ss_id: aSpreadsheetId() })
  expect(await found()).toEqual({
    source_sheet_id: null,
    source_ss_name: 'S',
    target_sheet_id: null,
    target_ss_name: '',
    owned_columns: 0,
    owned_rows: 0,
  })
})

test('toggle_active sets or inverts the value and returns it', async () => {
  const task = await added()
  const url = `/api/sync_tasks/${task.id}/toggle_active`
  expect((await ada.request('POST', url, { is_active: true })).json()).toMatchObject({
    is_active: true,
    message: taskServerMessages.activated(task.name),
  })
  expect((await ada.request('POST', url, {})).json()).toMatchObject({
    is_active: false,
    message: taskServerMessages.deactivated(task.name),
  })
  expect((await ada.request('POST', url, { is_active: 'false' })).statusCode).toBe(400)
  expect((await ada.request('POST', '/api/sync_tasks/99999/toggle_active', {})).statusCode).toBe(404)
  expect((await audited(task.id)).map(({ action }) => action)).toEqual(['create', 'activate', 'deactivate'])
})
