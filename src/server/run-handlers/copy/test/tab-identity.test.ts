import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../../../test/fixtures/database.ts'
import { migrate } from '../../../platform/migrate.ts'

const SQL = join(import.meta.dirname, '../../../../../sql')

/** A database with the schema before a migration. */
async function databaseBefore(file: string) {
  const database = await testDatabase()
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-sql-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of await readdir(SQL)) if (name < file) await cp(join(SQL, name), join(folder, name))
  await migrate({ url: database.url, folder })
  return database
}

test('of tasks that already write to one tab the oldest keeps it; the others lose it, and their log says why', async () => {
  const { db, url } = await databaseBefore('0014')
  await sql`insert into tasks (category, name, sort_order, created_at) values
    ('sync', 'Younger', 1, now() - interval '1 day'), ('sync', 'Older', 2, now() - interval '9 days'),
    ('sync', 'Alone', 3, now())`.execute(db)
  await sql`insert into sync_tasks (task_id, source_type, source_ss_id, target_ss_id, target_sheet_name,
      target_sheet_id, chunk_size, owned_columns, owned_rows)
    select id, 'sheet', 'source', 'target', name, case name when 'Alone' then 8 else 7 end, 1000, 3, 20
    from tasks`.execute(db)
  await migrate({ url })
  const tasks = await db
    .selectFrom('tasks')
    .innerJoin('sync_tasks', 'task_id', 'id')
    .select(['name', 'target_sheet_id', 'owned_columns'])
    .orderBy('name')
    .execute()
  expect(tasks).toEqual([
    { name: 'Alone', target_sheet_id: 8, owned_columns: 3 },
    { name: 'Older', target_sheet_id: 7, owned_columns: 3 },
    { name: 'Younger', target_sheet_id: null, owned_columns: 0 },
  ])
  const log = await db
    .selectFrom('log_entries')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(['name', 'level', 'message'])
    .execute()
  expect(log).toEqual([
    {
      name: 'Younger',
      level: 'WARNING',
      message:
        'The task ‘Older’ writes to the same target tab and has it from now on. Choose another target tab for this task.',
    },
  ])
})
