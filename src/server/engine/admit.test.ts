import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { addTasks, done, handlerOf } from '../../../test/engine.ts'
import { by_ada } from '../../../test/run-requests.ts'
import { createDb, type Db } from '../platform/db.ts'
import { admit } from './admit.ts'
import { startDelivery } from './delivery.ts'
import { queueRunsIn } from './many-runs.ts'
import { announceWorker } from './workers.ts'

const RUNS = 300

const queueAll = (db: Db) =>
  db
    .transaction()
    .execute((trx) => queueRunsIn(trx, [handlerOf(async () => done)], { category: 'sync' }, by_ada))

/** Runs that the only connection of `db` has read so far, in indexes and in the table. */
async function reads(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ reads: number }>`
    select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'runs')::int
      + (select seq_tup_read from pg_stat_user_tables where relname = 'runs')::int as reads`.execute(db)
  return rows[0]?.reads ?? 0
}

test('an admission reads each waiting run a few times at most, also on statistics from a quiet hour', async () => {
  const { url } = await testDatabase()
  const db = createDb({ url, max: 1 })
  const log = pino({ level: 'silent' })
  const boss = await startDelivery({ databaseUrl: url, supervise: false, log })
  const worker = announceWorker({
    db,
    name: 'reader',
    handlers: [handlerOf(async () => done)],
    log,
    onSeen: () => {},
  })
  await addTasks(db, RUNS, { allowed_concurrent_tasks: 50 })
  await queueAll(db)
  await sql`update runs set state = 'success', finished_at = now()`.execute(db)
  await sql`analyze runs`.execute(db)
  await queueAll(db)

  const before = await reads(db)
  expect(await admit(db, boss)).toMatchObject({ changed: 50 })
  expect((await reads(db)) - before).toBeLessThan(10 * RUNS)

  await worker.stop()
  await boss.stop({ graceful: false })
  await db.destroy()
})
