import { expect, test } from 'vitest'
import { aConfig, aRun, aSpreadsheetId, aType, aUser } from '../../../../test/fixtures/factories.ts'
import { taskEditing } from '../../../../test/fixtures/task-editing.ts'
import { SyncTask } from '../../../contract/sync-tasks/calls.ts'
import { decidingFields } from '../../../contract/sync-tasks/edits.ts'
import { frameMessages } from '../../../contract/system/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

const { app, ada, add, added } = await taskEditing()
const bob = await app.signIn('bob@example.com')

const read = async (id: number) => SyncTask.parse((await ada.request('GET', `/api/sync_tasks/${id}`)).json())
const accountOf = async (id: number) => (await read(id)).account?.email

const edit = async (id: number, fields: object, person = bob) => {
  const reply = await person.request('PUT', `/api/sync_tasks/${id}`, fields)
  expect(reply.json()).not.toHaveProperty('error')
}

async function presetAndConfig() {
  const { db } = app
  const preset = db
    .insertInto('sync_presets')
    .values({ name: aSpreadsheetId(), excluded_fields: ['Salary'] })
    .returning('id')
  return {
    sync_preset_id: (await preset.executeTakeFirstOrThrow()).id,
    source_compiler_config_id: (await aConfig(db)).id,
  }
}

/** Another value of each field that decides what is read or written. */
const otherValues = async (): Promise<Record<(typeof decidingFields)[number], unknown>> => ({
  ...(await presetAndConfig()),
  source_type: 'internal',
  source_ss_id: aSpreadsheetId(),
  source_sheet_name: 'Salaries',
  target_ss_id: aSpreadsheetId(),
  target_sheet_name: 'Salaries',
  start_row: 7,
  columns: [{ source: 'Salary', name: 'Salary' }],
  include_new_columns: true,
  filter: { match: 'any', conditions: [{ column: 'Team', operator: 'is', values: ['Sales'] }] },
  max_rows: 9,
  extra_columns: [{ kind: 'row_number', name: 'Row' }],
  completeness: { fields: ['Salary'], only_complete: false },
  write_mode: 'append',
  key_columns: ['Salary'],
  on_missing: 'clear',
  mark_column: 'Mark',
  find_columns_by_header: true,
  more_sources: [
    {
      source_type: 'sheet',
      source_ss_id: aSpreadsheetId(),
      source_sheet_name: '',
      source_compiler_config_id: null,
    },
  ],
  split_by: 'Team',
  split_tab_name: 'Team {value}',
})

async function importAs(person: typeof bob, csv: string) {
  const form = new FormData()
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'tasks.csv')
  const body = new Response(form)
  const reply = await app.app.inject({
    method: 'POST',
    url: '/api/sync_tasks/import',
    headers: { ...person.headers, 'content-type': body.headers.get('content-type') ?? '' },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  expect(reply.json()).toMatchObject({ status: 'success' })
  return reply.json()
}

test('an account may be listed only if it is the task’s own or its owner shares it', async () => {
  await aUser(app.db, { email: 'Grace@Example.com', shares_grant: true })
  await aUser(app.db, { email: 'closed@example.com' })
  await aUser(app.db, { email: 'gone@example.com', shares_grant: true, disabled_at: new Date() })

  const task = await added({
    relevant_user_accounts: ['ADA@example.com', 'grace@example.com', 'grace@EXAMPLE.com'],
  })
  expect(task.relevant_user_accounts).toEqual(['ada@example.com', 'grace@example.com'])
  for (const email of ['closed@example.com', 'gone@example.com', 'nobody@example.com']) {
    const reply = await add({ relevant_user_accounts: [email] })
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'relevant_user_accounts'])
    expect(reply.json().message).toBe(taskServerMessages.account_not_shared(email))
    const refused = await ada.request('PUT', `/api/sync_tasks/${task.id}`, {
      relevant_user_accounts: [email],
    })
    expect(refused.statusCode).toBe(400)
  }
})

test.each(decidingFields)(
  'the user who changes %s becomes the run account; the creator stays',
  async (field) => {
    const values = await otherValues()
    const internal = field === 'source_type' || field === 'source_compiler_config_id'
    const task = await added(
      internal
        ? { source_compiler_config_id: (await presetAndConfig()).source_compiler_config_id }
        : field === 'completeness'
          ? {
              source_type: 'internal',
              source_compiler_config_id: (await presetAndConfig()).source_compiler_config_id,
            }
          : field === 'on_missing'
            ? { write_mode: 'update', key_columns: ['SKU'] }
            : {},
    )
    await edit(task.id, { ...task, [field]: values[field] })
    expect(await accountOf(task.id)).toBe('bob@example.com')
    const { created_by } = await app.db
      .selectFrom('tasks')
      .select('created_by')
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow()
    expect(created_by).toBe(task.account?.user_id)
    // Back to how it was is a decision, too.
    await edit(task.id, { [field]: task[field] }, ada)
    expect(await accountOf(task.id)).toBe('ada@example.com')
  },
)

test('so does removing a preset', async () => {
  const { sync_preset_id } = await presetAndConfig()
  const task = await added({ sync_preset_id })
  await edit(task.id, { sync_preset_id: null })
  expect(await accountOf(task.id)).toBe('bob@example.com')
})

test('an edit that does not change what is read or written keeps the account', async () => {
  await app.db
    .updateTable('users')
    .set({ shares_grant: true })
    .where('email', '=', 'bob@example.com')
    .execute()
  const task = await added()
  await edit(task.id, {
    ...task,
    name: 'Renamed by Bob',
    chunk_size: 77,
    scheduled_times: ['05:00'],
    is_active: false,
    sync_task_type_id: (await aType(app.db)).id,
    relevant_user_accounts: ['bob@example.com'],
  })
  await edit(task.id, await read(task.id))
  expect(await accountOf(task.id)).toBe('ada@example.com')
})

test('whether the former account is or was shared makes no difference', async () => {
  const task = await added()
  const share = (shares_grant: boolean) => ada.request('POST', '/api/users/me/share_grant', { shares_grant })
  await share(true)
  await edit(task.id, { source_ss_id: aSpreadsheetId() })
  expect(await accountOf(task.id)).toBe('bob@example.com')
  await share(false)
  expect(await accountOf(task.id)).toBe('bob@example.com')
})

test('a listed account that is not shared is removed when the task gets another run account', async () => {
  const task = await added({ relevant_user_accounts: ['ada@example.com'] })
  const reply = await bob.request('PUT', `/api/sync_tasks/${task.id}`, { source_sheet_name: 'Salaries' })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'relevant_user_accounts'])
  expect(await read(task.id)).toMatchObject({
    source_sheet_name: 'Products',
    account: { email: 'ada@example.com' },
  })
})

test('a duplicated task gets the account of its creator', async () => {
  const { id: _, ...task } = await added()
  const target_sheet_name = 'Elsewhere'
  const reply = await bob.request('POST', '/api/sync_tasks', { ...task, name: 'Copy', target_sheet_name })
  expect(reply.json().account).toMatchObject({ email: 'bob@example.com' })
})

test('an import counts as an edit of the changed tasks only', async () => {
  const [one, other] = [await added(), await added()]
  const csv = (await ada.request('GET', '/api/sync_tasks/export')).body
  expect(await importAs(bob, csv)).toMatchObject({ updated: 0 })
  expect(await accountOf(one.id)).toBe('ada@example.com')

  const header = 'task_type,name,target_ss_id,target_sheet_name,start_row,chunk_size'
  const row = (task: SyncTask, start_row: number) =>
    [task.task_type.name, task.name, task.target_ss_id, task.target_sheet_name, start_row, 55].join(',')
  const lines = [header, row(one, one.start_row), row(other, 9), '']
  expect(await importAs(bob, lines.join('\n'))).toMatchObject({ updated: 2 })
  expect(await accountOf(one.id)).toBe('ada@example.com')
  expect(await accountOf(other.id)).toBe('bob@example.com')
})

test('of two concurrent edits the stored one sets the account', async () => {
  const task = await added()
  const values = ['First', 'Second', 'Third', 'Fourth']
  await Promise.all(
    values.map((source_sheet_name, index) => edit(task.id, { source_sheet_name }, index % 2 ? ada : bob)),
  )
  const { source_sheet_name, account } = await read(task.id)
  const person = values.indexOf(source_sheet_name) % 2 ? 'ada@example.com' : 'bob@example.com'
  expect(account?.email).toBe(person)
})

test('a user assigns their own account to a task as they have read it', async () => {
  const task = await added()
  const url = `/api/sync_tasks/${task.id}/use_my_account`
  await edit(task.id, { name: `${task.name}, renamed` }, ada)
  const stale = await bob.request('POST', url, { updated_at: task.updated_at })
  expect([stale.statusCode, stale.json().message]).toEqual([409, frameMessages.stale_update])
  expect(await accountOf(task.id)).toBe('ada@example.com')

  const { updated_at } = await read(task.id)
  const reply = await bob.request('POST', url, { updated_at })
  expect(reply.json()).toMatchObject({ account: { email: 'bob@example.com', is_usable: true } })
  expect(reply.json().updated_at > updated_at).toBe(true)
  expect((await bob.request('POST', url, {})).statusCode).toBe(400)
  expect(
    (await bob.request('POST', '/api/sync_tasks/999999/use_my_account', { updated_at })).statusCode,
  ).toBe(404)

  const run = await aRun(app.db, task.id, { state: 'queued' })
  const live = await ada.request('POST', url, { updated_at: reply.json().updated_at })
  expect([live.statusCode, live.json().message]).toEqual([409, taskMessages.live_edit])
  await app.db.updateTable('runs').set({ state: 'failed' }).where('id', '=', run.id).execute()
  const audit = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('object_id', '=', String(task.id))
    .where('action', '=', 'use_own_account')
    .execute()
  expect(audit).toEqual([{ actor: 'bob@example.com', action: 'use_own_account' }])
})

test('a task shows its run account and whether it is usable', async () => {
  const task = await added()
  expect(task.account).toMatchObject({ email: 'ada@example.com', is_usable: true })
  const grants = app.db.updateTable('grants').where('user_id', '=', task.account?.user_id ?? 0)
  await grants.set({ revoked_at: new Date() }).execute()
  expect((await read(task.id)).account?.is_usable).toBe(false)
  await grants.set({ revoked_at: null }).execute()
  await app.db.updateTable('tasks').set({ account_user_id: null }).where('id', '=', task.id).execute()
  expect((await read(task.id)).account).toBeNull()
})
