import { type RawBuilder, sql } from 'kysely'

/** New value of a row's `updated_at`: later than what any reader saw, also within one millisecond. */
export const touched = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`

/**
 * Whether the row is still as it was read at `updated_at` (ISO 8601, milliseconds), going by the column that tells its version;
 * true when the editor did not say. Belongs in the `where` of the edit.
 */
export function unchangedSince(updated_at: string | undefined, column = 'updated_at'): RawBuilder<boolean> {
  return updated_at === undefined
    ? sql<boolean>`true`
    : sql<boolean>`date_trunc('milliseconds', ${sql.ref(column)}) = ${updated_at}::timestamptz`
}
