import { sql } from 'kysely'
import type { Db } from '../src/server/platform/db.ts'

const DISK_FULL = '53100'

/**
 * Has PostgreSQL refuse new rows of these tables as it does where it cannot write, until what it returns is called: `code` is what it says
 * then (disk, memory or connections used up …).
 */
export async function refuseInserts(
  db: Db,
  tables: readonly string[],
  code: string = DISK_FULL,
): Promise<() => Promise<void>> {
  await sql`create or replace function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = ${sql.lit(code)}; end $$`.execute(
    db,
  )
  for (const table of tables)
    await sql`create trigger refused before insert on ${sql.table(table)} execute function refuse()`.execute(
      db,
    )
  return async () => {
    for (const table of tables) await sql`drop trigger refused on ${sql.table(table)}`.execute(db)
  }
}
