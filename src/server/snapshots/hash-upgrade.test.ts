import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../test/fixtures/earlier-database.ts'

test('0070: outdated hashes of copies and images are cleared, those of sources are kept', async () => {
  const { db, upgrade } = await databaseBefore(70)
  await sql`insert into tasks (category, name, sort_order) values ('sync', 'Shop', 1)`.execute(db)
  await sql`insert into snapshots (task_id, kind, hash)
    select 1, kind, 'hash of a ' || kind from unnest(array['copy', 'before', 'source', 'compiled']) kind`.execute(
    db,
  )
  await upgrade()
  const { rows } = await sql`select kind, hash from snapshots order by id`.execute(db)
  expect(rows).toEqual([
    { kind: 'copy', hash: null },
    { kind: 'before', hash: null },
    { kind: 'source', hash: 'hash of a source' },
    { kind: 'compiled', hash: 'hash of a compiled' },
  ])
})
