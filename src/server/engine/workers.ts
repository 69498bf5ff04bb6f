import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { asyncCommit } from './async-commit.ts'
import { repeatEvery } from './repeat-every.ts'
import { shortTransaction } from './short-transaction.ts'
import type { RunHandler } from './types.ts'

const BEAT_MS = 3_000
// An arbitrary advisory lock id, unique in this database.
const WARN_LOCK = 7_269_340

// A worker without a heartbeat for longer is dead or disconnected.
const LIVES = sql<boolean>`seen_at > now() - interval '15 seconds'`

/** The categories of tasks that a live worker, anywhere, executes. */
export const servedCategories = sql`(select unnest(categories) from workers where ${LIVES})`

/** Number of live workers for a category. */
export async function countWorkers(db: Db, category: RunHandler['category']): Promise<number> {
  const { count } = await db
    .selectFrom('workers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(LIVES)
    .where(sql<boolean>`${category} = any(categories)`)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Publishes that a worker is alive and its categories, until `stop`, which withdraws that at once. `onSeen` is called
 * after the first time.
 */
export function registerWorker(options: {
  db: Db
  name: string
  handlers: readonly RunHandler[]
  log: Logger
  onSeen: () => void
  /** Called when publishing fails. */
  onTrouble?: (error: unknown) => void
}): { stop: () => Promise<void> } {
  const { db, name, handlers, log, onSeen, onTrouble } = options
  const id = randomUUID()
  const categories = handlers.map(({ category }) => category)
  let seen = false
  const beating = repeatEvery(BEAT_MS, log, 'Failed to publish the worker’s heartbeat', async () => {
    await sql`insert into workers (id, name, categories) values (${id}, ${name}, ${categories})
      on conflict (id) do update set seen_at = now() returning ${asyncCommit}`
      .execute(db)
      .catch((error: unknown) => {
        onTrouble?.(error)
        throw error
      })
    if (!seen) onSeen()
    seen = true
  })
  return {
    stop: async () => {
      await beating.stop()
      // Otherwise the missing heartbeat has the same effect a little later.
      await db
        .deleteFrom('workers')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'Failed to deregister the worker'))
    },
  }
}

/** Logs once, for each run without a worker for ten seconds, what it waits for. */
export const warnUnserved = (db: Db): Promise<void> =>
  shortTransaction(db, async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${WARN_LOCK}) as mine`.execute(trx)
    if (!rows[0]?.mine) return
    await sql`
      insert into log_entries (task_id, run_id, level, message)
      select waiting.task_id, waiting.id, 'WARNING', waiting.message
      from (
        select r.task_id, r.id,
          'No worker for ' || r.category || ' tasks is running. The run waits for one.' as message
        from runs r
        where r.state = 'queued' and r.task_id is not null and r.not_before < now() - interval '10 seconds'
          and r.category not in ${servedCategories}
      ) waiting
      where not exists (
        select from log_entries e
        where e.task_id = waiting.task_id and e.run_id = waiting.id and e.message = waiting.message
      )`.execute(trx)
  })

/** Removes workers that died long ago. */
export async function forgetWorkers(db: Db): Promise<void> {
  await db.deleteFrom('workers').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
