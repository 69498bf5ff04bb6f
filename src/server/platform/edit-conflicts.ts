import { type RawBuilder, sql } from 'kysely'

/** New value of a row's `updated_at`: later than any value read before, also within one millisecond. */
export const touched = sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`

/**
 * Whether the version column still has the value that the editor read (ISO 8601, milliseconds); true if the editor
 * sent none. For the `where` of an update.
 */
export function unchangedSince(updated_at: string | undefined, column = 'updated_at'): RawBuilder<boolean> {
  return updated_at === undefined
    ? sql<boolean>`true`
    : sql<boolean>`date_trunc('milliseconds', ${sql.ref(column)}) = ${updated_at}::timestamptz`
}
