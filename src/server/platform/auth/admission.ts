import type { Config } from '../config.ts'

/** Whether a verified address may use Rowferry. `hosted_domain` is Google's word on the account, unlike the address's own ending. */
export function mayEnter(
  person: { email: string; hosted_domain: string | null },
  lists: Pick<Config, 'mode' | 'allowedEmails' | 'allowedDomains'>,
): boolean {
  const listed =
    lists.allowedEmails.includes(person.email.toLowerCase()) ||
    (person.hosted_domain !== null && lists.allowedDomains.includes(person.hosted_domain.toLowerCase()))
  const open = lists.mode === 'sandbox' && !lists.allowedEmails.length && !lists.allowedDomains.length
  return listed || open
}

/** Whether the address may do what is for administrators only. */
export function isAdmin(email: string, lists: Pick<Config, 'adminEmails'>): boolean {
  return lists.adminEmails === 'everyone' || lists.adminEmails.includes(email.toLowerCase())
}
