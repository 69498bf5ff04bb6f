import { sql } from 'kysely'
import type { Db } from '../src/server/platform/db.ts'

/** Bytes of everything that plans, versions and stored rows need in the database. */
export async function storedBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(name::regclass))::float8 as bytes
    from unnest(array['snapshots', 'snapshot_rows', 'plans', 'plan_rows']) name`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Bytes as MB with one decimal. */
export const megabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10
