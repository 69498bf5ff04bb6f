import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { afterCommit } from '../platform/unit-of-work.ts'

/**
 * Evaluated anywhere in a transaction, makes its commit not wait for the disk. PostgreSQL serialises commits that
 * send a notification, so a wait there would block all others; callers that need durability call `waitForWal`
 * afterwards. The write-ahead log preserves the order: a crash never loses a commit without all later ones. A worker
 * starts a run only after pg-boss delivered its job in a durable commit, which covers everything before it.
 */
export const asyncCommit = sql<string>`set_config('synchronous_commit', 'off', true)`

type Flushes = { last: Promise<void>; next: Promise<void> | null }
const flushesOf = new WeakMap<Db, Flushes>()

/**
 * Resolves when everything committed before the call is on disk; await it before confirming a request. Callers that
 * arrive during a flush share the next one. Throws if the database is unavailable; whether the commits survived is
 * then unknown. Inside a unit of work it does nothing, because that waits at its own commit.
 */
export function waitForWal(db: Db): Promise<void> {
  if (afterCommit(db, waitForWal)) return Promise.resolve()
  const flushes = flushesOf.get(db) ?? { last: Promise.resolve(), next: null }
  flushesOf.set(db, flushes)
  if (flushes.next) return flushes.next
  const next = flushes.last.then(() => {
    flushes.next = null
    return flush(db)
  })
  flushes.next = next
  flushes.last = next.catch(() => {})
  return next
}

// An empty logical message is the smallest record whose commit waits as the server is configured.
async function flush(db: Db): Promise<void> {
  await sql`${prepared} select pg_logical_emit_message(true, 'rowferry', '')`.execute(db)
}
