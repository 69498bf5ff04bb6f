import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { prepared } from '../platform/postgres/client.ts'
import { afterCommit } from '../platform/unit-of-work.ts'

/**
 * Evaluated anywhere in a transaction, lets its commit not wait for the disk. PostgreSQL lets transactions that announce
 * something commit one after the other, so that a wait in there would hold up all others; who has to wait calls `waitForWal`
 * afterwards. The journal keeps the order: a crash of the server takes back nothing without all that came after it. A
 * worker begins a run only after pg-boss has handed it out in a commit that waits, which covers all that led to it.
 */
export const asyncCommit = sql<string>`set_config('synchronous_commit', 'off', true)`

type Flushes = { last: Promise<void>; next: Promise<void> | null }
const flushesOf = new WeakMap<Db, Flushes>()

/**
 * Resolves when everything that was committed before the call is on disk: to be awaited before a person is answered.
 * Whoever asks while the disk is busy shares the next write. Throws when the database is away; whether it still has what
 * was committed is then unknown. Within a unit of work nothing is committed yet: its commit waits.
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

// An empty message in the journal: the least whose commit waits, in the way in which the server is set up to wait.
async function flush(db: Db): Promise<void> {
  await sql`${prepared} select pg_logical_emit_message(true, 'rowferry', '')`.execute(db)
}
