import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'

/** Who may sign in: everyone in sandbox mode if no list is set, otherwise those on one of the lists. */
export type EntryLists = Pick<Config, 'mode' | 'allowedEmails' | 'allowedDomains'>

const isOpen = ({ mode, allowedEmails, allowedDomains }: EntryLists) =>
  mode === 'sandbox' && !allowedEmails.length && !allowedDomains.length

/**
 * Whether a verified address may sign in. `hosted_domain` is Google's statement about the account, unlike the domain
 * of the address.
 */
export function mayEnter(
  person: { email: string; hosted_domain: string | null },
  lists: EntryLists,
): boolean {
  const listed =
    lists.allowedEmails.includes(person.email.toLowerCase()) ||
    (person.hosted_domain !== null && lists.allowedDomains.includes(person.hosted_domain.toLowerCase()))
  return listed || isOpen(lists)
}

/** `mayEnter` as SQL over `users`; never null. */
export const mayEnterSql = (lists: EntryLists): RawBuilder<boolean> => sql<boolean>`(
  ${isOpen(lists)}::boolean or lower(users.email) = any(${lists.allowedEmails}::text[])
  or coalesce(lower(users.hosted_domain) = any(${lists.allowedDomains}::text[]), false))`

/** Whether the address is an administrator's. */
export function isAdmin(email: string, lists: Pick<Config, 'adminEmails'>): boolean {
  return lists.adminEmails === 'everyone' || lists.adminEmails.includes(email.toLowerCase())
}
