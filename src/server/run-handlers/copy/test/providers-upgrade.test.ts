import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../../test/fixtures/earlier-database.ts'

test('0061: tasks name the providers of their source and target; known tab ids are kept, and stay correct for processes of the previous version', async () => {
  const { db, upgrade } = await databaseBefore(61)
  await sql`insert into tasks (category, name, sort_order) values
    ('sync', 'Known', 1), ('sync', 'New', 2), ('source', 'Origin', 1), ('source', 'Unread', 2)`.execute(db)
  await sql`insert into sync_tasks (task_id, source_type, source_ss_id, source_sheet_id, target_ss_id, target_sheet_name,
      target_sheet_id)
    select id, 'sheet', 'source', case name when 'Known' then 7 end, 'target', name, case name when 'Known' then 0 end
    from tasks where category = 'sync'`.execute(db)
  await sql`insert into source_tasks (task_id, source_type, spreadsheet_id, sheet_name, sheet_id)
    select id, 'sheet', 'origin', 'Products', case name when 'Origin' then 2147483647 end
    from tasks where category = 'source'`.execute(db)
  await upgrade()
  const google = { source_provider: 'google-sheets', target_provider: 'google-sheets' }
  const syncTasks = () =>
    db
      .selectFrom('sync_tasks')
      .select(['task_id', 'source_provider', 'source_place', 'source_sheet_id'])
      .select(['target_provider', 'target_place', 'target_sheet_id'])
      .orderBy('task_id')
      .execute()
  const known = { source_place: '7', source_sheet_id: 7, target_place: '0', target_sheet_id: 0 }
  const unknown = { source_place: null, source_sheet_id: null, target_place: null, target_sheet_id: null }
  expect(await syncTasks()).toEqual([
    { task_id: 1, ...google, ...known },
    { task_id: 2, ...google, ...unknown },
  ])
  const sourceTasks = () =>
    db
      .selectFrom('source_tasks')
      .select(['task_id', 'provider', 'place', 'sheet_id'])
      .orderBy('task_id')
      .execute()
  expect(await sourceTasks()).toEqual([
    { task_id: 3, provider: 'google-sheets', place: '2147483647', sheet_id: 2_147_483_647 },
    { task_id: 4, provider: 'google-sheets', place: null, sheet_id: null },
  ])

  // What either version writes, the other reads; a place that is no number is none to the version before.
  await sql`update sync_tasks set target_sheet_id = 9, source_sheet_id = null where task_id = 1`.execute(db)
  await sql`update sync_tasks set target_place = '12', source_place = 'tab {5}' where task_id = 2`.execute(db)
  await sql`update source_tasks set place = '2147483648' where task_id = 3`.execute(db)
  await sql`update source_tasks set sheet_id = 5 where task_id = 4`.execute(db)
  expect(await syncTasks()).toMatchObject([
    { target_place: '9', source_place: null },
    { target_sheet_id: 12, source_sheet_id: null, source_place: 'tab {5}' },
  ])
  expect(await sourceTasks()).toMatchObject([{ sheet_id: null }, { place: '5' }])
  await expect(
    sql`update sync_tasks set target_sheet_id = 9 where task_id = 2`.execute(db),
  ).rejects.toMatchObject({ constraint: 'sync_tasks_target_sheet_key' })
})
