import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'

let database: Awaited<ReturnType<typeof databaseBefore>>
const [ADA, BEN, CLEO] = [1, 2, 3]

/** Task of an earlier version, created by Ada; returns its id. */
async function task(id: number, fields: { created_by?: number; sync_preset_id?: number } = {}) {
  const { created_by = ADA, sync_preset_id = null } = fields
  await sql`insert into tasks (id, category, name, sort_order, created_by)
    overriding system value values (${id}, 'sync', ${`Task ${id}`}, 1, ${created_by})`.execute(database.db)
  await sql`insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name, chunk_size, sync_preset_id)
    values (${id}, 'sheet', ${`source-${id}`}, ${`target-${id}`}, 'Shop', 1, ${sync_preset_id})`.execute(
    database.db,
  )
  await audited(ADA, 'create', id, made)
}

const made = {
  name: 'Task',
  source_type: 'sheet',
  source_ss_id: 'source',
  source_sheet_name: 'Products',
  source_compiler_config_id: null,
  target_ss_id: 'target',
  target_sheet_name: 'Shop',
  sync_preset_id: null,
  start_row: 1,
}

const audited = (user: number, action: string, id: number, details: object, type = 'sync_task') =>
  sql`insert into audit_log (user_id, actor, action, object_type, object_id, details, result)
    values (${user}, 'x', ${action}, ${type}, ${String(id)}, ${JSON.stringify(details)}::jsonb, 'done')`.execute(
    database.db,
  )

const queued = (id: number, state: string) =>
  sql`insert into runs (task_id, category, task_name, trigger, state, definition) values
    (${id}, 'sync', 'x', 'manual', ${state}, ${JSON.stringify({ created_by: ADA, start_row: 1 })}::jsonb)
    returning id`.execute(database.db)

beforeAll(async () => {
  database = await databaseBefore(11)
  const { db } = database
  await sql`insert into users (issuer, subject, email, name, shares_grant) values
    ('i', 'a', 'ada@example.com', 'Ada', true), ('i', 'b', 'ben@example.com', 'Ben', false),
    ('i', 'c', 'cleo@example.com', 'Cleo', false)`.execute(db)
  await sql`insert into sync_presets (name, excluded_fields) values ('P', '{Bonus}'), ('Q', '{A,B,C}')`.execute(
    db,
  )

  await task(1)
  await audited(BEN, 'update', 1, { ...made, name: 'Only the name' })

  await task(2)
  await audited(BEN, 'update', 2, { source_sheet_name: 'Salaries' })
  await audited(CLEO, 'update', 2, { ...made, source_sheet_name: 'Salaries', name: 'Only the name' })
  await queued(2, 'queued')
  await queued(2, 'success')

  // Changed while Ada shared her account: under the earlier rule Ben's edit runs with her grant.
  await task(3)
  await audited(BEN, 'update', 3, { target_ss_id: 'elsewhere' })
  await audited(ADA, 'update', 3, { start_row: 2 })

  await task(4, { sync_preset_id: 1 })
  await audited(BEN, 'create', 1, { name: 'P', excluded_fields: ['Salary', 'Bonus'] }, 'sync_preset')
  await audited(ADA, 'update', 4, { sync_preset_id: 1 })
  await audited(BEN, 'update', 1, { name: 'P', excluded_fields: ['Bonus'] }, 'sync_preset')

  await task(5, { sync_preset_id: 2 })
  await audited(BEN, 'create', 2, { name: 'Q', excluded_fields: ['A', 'B'] }, 'sync_preset')
  await audited(BEN, 'update', 2, { excluded_fields: ['A'] }, 'sync_preset')
  await audited(ADA, 'update', 5, { sync_preset_id: 2 })
  await audited(BEN, 'update', 2, { excluded_fields: ['C', 'A', 'B'] }, 'sync_preset')

  // Created by Ada, reassigned by the earlier rule.
  await task(6, { created_by: BEN })
  await audited(BEN, 'update', 6, { source_ss_id: 'elsewhere' })

  await sql`insert into tasks (id, category, name, sort_order, created_by)
    overriding system value values (7, 'sync', 'Without a trace', 1, ${CLEO})`.execute(db)

  await queued(4, 'failed')
  await sql`insert into staging_tabs (run_id, spreadsheet_id, sheet_id)
    select id, 'target', 9 from runs where task_id = 4`.execute(db)
  await database.upgrade()
})

test.each([
  [1, ADA, 'a colleague’s edit of the name moves nothing'],
  [2, BEN, 'a tab was changed by Ben, and its name kept by Cleo'],
  [3, ADA, 'who changed it last'],
  [4, BEN, 'Ben took a field out of its preset'],
  [5, ADA, 'the preset lost fields before the task used it, and gained some since'],
  [6, BEN, 'it was pointed elsewhere by Ben'],
  [7, CLEO, 'the audit log knows nothing of it'],
])('after the upgrade task %i runs with the account of person %i: %s', async (id, account_user_id) => {
  const found = await database.db
    .selectFrom('tasks')
    .select(['account_user_id', 'created_by'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(found).toEqual({ account_user_id, created_by: id === 7 ? CLEO : ADA })
})

test('waiting runs continue with their task’s account, and staging tabs are deleted with the account that created them', async () => {
  const { rows } = await sql`select task_id, state, definition -> 'account_user_id' as account
    from runs order by id`.execute(database.db)
  expect(rows).toEqual([
    { task_id: 2, state: 'queued', account: BEN },
    { task_id: 2, state: 'success', account: null },
    { task_id: 4, state: 'failed', account: ADA },
  ])
})

test('a change of the run account is in the task’s log', async () => {
  const lines = await database.db
    .selectFrom('log_entries')
    .select(['task_id', 'message'])
    .orderBy('task_id')
    .execute()
  expect(lines).toEqual([
    {
      task_id: 2,
      message: 'Runs use the Google account of ben@example.com now, who last changed what is copied.',
    },
    {
      task_id: 4,
      message: 'Runs use the Google account of ben@example.com now, who last changed what is copied.',
    },
  ])
})
