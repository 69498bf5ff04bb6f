import { type RawBuilder, sql } from 'kysely'

/** A timestamp inside JSON in the contract's form: UTC, to the millisecond. */
export const jsonMoment = (timestamp: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char((${timestamp}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
