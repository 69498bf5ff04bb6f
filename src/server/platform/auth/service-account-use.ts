import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

/** Key in `settings`: the address of the service account that tasks may use. Another key file must be allowed again. */
const ALLOWED = 'allowed_service_account'

/** Whether an administrator allows tasks to use the service account of that address (an SQL text, lower case). Never null. */
export const isAllowedServiceAccount = (
  address: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from settings where settings.key = ${ALLOWED} and settings.value = to_jsonb(${address}::text))`

/** Allows the service account of that address, or, with null, none; returns whether that changed. */
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
