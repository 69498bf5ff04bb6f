import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/**
 * Protects a snapshot's rows from being pruned for at least five minutes; false if they are gone. Call it again while reading. Nearly
 * always it is one lookup by primary key: a pin is written for ten minutes and shared by all readers.
 */
export async function pinSnapshot(db: Db, id: number): Promise<boolean> {
  const pinned = await sql`
    select from snapshots where id = ${id} and pinned_until > now() + interval '5 minutes'`.execute(db)
  if (pinned.rows.length > 0) return true
  // Waits for a concurrent prune of this row, then sees whether the row is left.
  const { rows } = await sql`
    update snapshots set pinned_until = now() + interval '10 minutes' where id = ${id} returning id`.execute(
    db,
  )
  return rows.length > 0
}

/** Pins several snapshots and returns those that are gone. */
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
