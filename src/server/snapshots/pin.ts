import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/**
 * Keeps a snapshot's rows for at least five more minutes; false when they are gone. Whoever reads on calls it again: nearly always
 * that is one look by primary key, since a pin is written for ten minutes and shared by all readers.
 */
export async function pinSnapshot(db: Db, id: number): Promise<boolean> {
  const pinned = await sql`
    select from snapshots where id = ${id} and pinned_until > now() + interval '5 minutes'`.execute(db)
  if (pinned.rows.length > 0) return true
  // Waits for a pruner that is at the same row, and then finds whether it is still there.
  const { rows } = await sql`
    update snapshots set pinned_until = now() + interval '10 minutes' where id = ${id} returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** The same of several; returns those that are gone, which are none as a rule. */
export async function pinSnapshots(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from snapshots where id = any (${ids}::int[]) and pinned_until > now() + interval '5 minutes'`.execute(
    db,
  )
  const pinned = new Set(rows.map(({ id }) => id))
  const gone: number[] = []
  for (const id of ids) if (!(pinned.has(id) || (await pinSnapshot(db, id)))) gone.push(id)
  return gone
}
