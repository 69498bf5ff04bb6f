import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { createPool } from '../platform/db.ts'
import { SnapshotWriter } from './snapshot-writer.ts'

test('rows are stored unchanged, as text or bytes: backslashes, rows of megabytes, more than a batch', async () => {
  const database = await testDatabase()
  const pool = createPool({ url: database.url })
  const { id } = await database.db
    .insertInto('snapshots')
    .values({ kind: 'source', columns: '[]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = [
    ['a\\b', '\\', '"', '\t\n', '\\N', '\\.', 'Größe 📚'],
    [],
    ['\\'.repeat(1_200_000), 1, true],
    ...Array.from({ length: 60 }, (_, n) => [n, 'x'.repeat(50_000)]),
  ]
  const writer = new SnapshotWriter(pool, id)
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row)
    writer.add(index + 1, index % 2 === 0 ? text : Buffer.from(text))
    await writer.flushIfLarge()
  }
  await writer.close()
  const stored = await database.db
    .selectFrom('snapshot_rows')
    .select(['row_no', 'cells'])
    .where('snapshot_id', '=', id)
    .orderBy('row_no')
    .execute()
  expect(stored.map(({ cells }) => cells)).toEqual(rows)
  expect(stored.map(({ row_no }) => row_no)).toEqual(rows.map((_, index) => index + 1))
  await pool.end()
})
