import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { createDb, type Db } from '../platform/db.ts'
import { asyncCommit, waitForWal } from './async-commit.ts'
import { durableTransaction } from './short-transaction.ts'

// The tests' server does not wait for the disk unless configured.
async function waitingDatabase(): Promise<Db> {
  const { url } = await testDatabase()
  return createDb({ url: `${url}?options=-c%20synchronous_commit%3Don` })
}

const write = (db: Db) =>
  sql`insert into settings (key, value) values (gen_random_uuid(), '1') returning ${asyncCommit}`.execute(db)

async function written(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`select pg_current_wal_insert_lsn() as at`.execute(db)
  return rows[0]?.at ?? ''
}

async function onDisk(db: Db, at: string): Promise<boolean> {
  const { rows } = await sql<{
    on_disk: boolean
  }>`select pg_current_wal_flush_lsn() >= ${at}::pg_lsn as on_disk`.execute(db)
  return rows[0]?.on_disk ?? false
}

test('commits before the call are on disk when it resolves, for every caller', async () => {
  const db = await waitingDatabase()
  const asked = Array.from({ length: 20 }, async () => {
    await write(db)
    const at = await written(db)
    await waitForWal(db)
    return onDisk(db, at)
  })
  expect(await Promise.all(asked)).toEqual(asked.map(() => true))
  await db.destroy()
})

test('a transaction that a user waits for is on disk when it resolves', async () => {
  const db = await waitingDatabase()
  const at = await durableTransaction(db, async (trx) => {
    await write(trx)
    return written(trx)
  })
  expect(await onDisk(db, at)).toBe(true)
  await db.destroy()
})
