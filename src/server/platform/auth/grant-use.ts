import { type RawBuilder, sql } from 'kysely'
import { type EntryLists, mayEnterSql } from './admission.ts'
import { isAllowedServiceAccount } from './service-account-use.ts'

/** In a query over `users` joined with `grants`: the owner may sign in and lets runs use the grant. Never null. */
export const grantWorks = (lists: EntryLists): RawBuilder<boolean> => sql<boolean>`(
  grants.user_id is not null and grants.revoked_at is null and grants.disconnecting_at is null
  and users.disabled_at is null and ${mayEnterSql(lists)})`

/** Like `grantWorks`, for deleting what a run left in its owner's spreadsheets: any grant that still gives access. */
export const grantCleansUp: RawBuilder<boolean> = sql<boolean>`(
  grants.user_id is not null and grants.revoked_at is null)`

/**
 * In a query over `allowed (user_id, address)` left joined with `users` and `grants`: whether the account may be
 * used, a user's or, without a user, the service account.
 */
export const accountWorks = (lists: EntryLists): RawBuilder<boolean> => sql<boolean>`case
  when allowed.user_id is null then ${isAllowedServiceAccount(sql`allowed.address`)} else ${grantWorks(lists)} end`

/** Like the above for deleting what a run left, which the service account may always do. */
export const accountCleansUp: RawBuilder<boolean> = sql<boolean>`(allowed.user_id is null or ${grantCleansUp})`
