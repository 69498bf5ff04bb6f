import { type RawBuilder, sql } from 'kysely'
import { type EntryLists, mayEnterSql } from './admission.ts'

/** In a query over `users` joined with `grants`: the owner is with us and lets runs work with the grant. Never null. */
export const grantWorks = (lists: EntryLists): RawBuilder<boolean> => sql<boolean>`(
  grants.user_id is not null and grants.revoked_at is null and grants.disconnecting_at is null
  and users.disabled_at is null and ${mayEnterSql(lists)})`

/** The same for taking back what a run left in its owner's spreadsheets: all that still opens them. */
export const grantCleansUp: RawBuilder<boolean> = sql<boolean>`(
  grants.user_id is not null and grants.revoked_at is null)`
