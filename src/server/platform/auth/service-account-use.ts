import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

/** Key in `settings` of the address of the service account that tasks may name. Another key file has to be allowed anew. */
const ALLOWED = 'allowed_service_account'

/** Whether an administrator lets tasks use the service account of that address (an SQL text, lower case). Never null. */
export const isAllowedServiceAccount = (
  address: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from settings where settings.key = ${ALLOWED} and settings.value = to_jsonb(${address}::text))`

/** Lets tasks name the service account of that address, or, with null, none; tells whether that is new. */
export async function allowServiceAccount(db: Kysely<Database>, address: string | null): Promise<boolean> {
  const changed =
    address === null
      ? await db.deleteFrom('settings').where('key', '=', ALLOWED).returning('key').execute()
      : await db
          .insertInto('settings')
          .values({ key: ALLOWED, value: JSON.stringify(address) })
          .onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet({ value: JSON.stringify(address), updated_at: new Date() })
              .where('settings.value', '!=', sql<string>`to_jsonb(${address}::text)`),
          )
          .returning('key')
          .execute()
  return changed.length > 0
}
