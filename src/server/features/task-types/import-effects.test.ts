import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { file, SOURCE, typeFiles } from '../../../../test/fixtures/type-files.ts'

const { added, imported, site } = typeFiles()

test('a changed chunk size changes all tasks of the type', async () => {
  const { id } = await added('sync', { name: 'Prices', chunk_size: 10 })
  await sql`insert into tasks (category, task_type_id, name, sort_order, chunk_size) values ('sync', ${id}, 'T', 1, 10)`.execute(
    site().db,
  )
  await imported('sync', file('name,chunk_size', 'Prices,20'))
  const { chunk_size } = await site()
    .db.selectFrom('tasks')
    .select('chunk_size')
    .where('task_type_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(chunk_size).toBe(20)
  await site().db.deleteFrom('tasks').where('task_type_id', '=', id).execute()
})

test('an import and each added type are in the audit log', async () => {
  const job = await imported('source', file(SOURCE, 'Audited,,'))
  const entries = await site()
    .db.selectFrom('audit_log')
    .select(['action', 'object_type', 'details'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(entries).toMatchObject([
    { action: 'import', object_type: 'source_task_type', details: { job_id: job.id, created: 1 } },
    { action: 'create', object_type: 'source_task_type', details: { name: 'Audited' } },
  ])
})
