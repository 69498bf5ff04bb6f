import { createHash } from 'node:crypto'
import { z } from 'zod'

export const Email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase())

export const Account = z.object({
  email: Email,
  name: z.string(),
  /** Google's stable subject: 21 digits, derived from the address, so that it is the same after a data reset. */
  sub: z.string(),
  /** Workspace domain; null for a consumer account, regardless of its address. */
  hd: z.string().nullable(),
  /** Number of revocations. An access token is valid only for the epoch in which it was issued. */
  epoch: z.number(),
})
export type Account = z.infer<typeof Account>

const consumerDomains = new Set(['example.com', 'gmail.com', 'googlemail.com'])

/** Creates an account for an address. The name is derived from the local part, the Workspace domain from a non-consumer domain. */
export function makeAccount(email: string, known: { name?: string; hd?: string | null } = {}): Account {
  const [local = '', domain = ''] = email.split('@')
  return {
    email,
    name: known.name ?? nameFromLocalPart(local),
    sub: subjectOf(email),
    hd: known.hd === undefined ? (consumerDomains.has(domain) ? null : domain) : known.hd,
    epoch: 0,
  }
}

function nameFromLocalPart(local: string): string {
  const words = local.split(/[._+-]+/).filter((word) => word !== '')
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ') || local
}

function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email).digest('hex').slice(0, 16)
  return `1${BigInt(`0x${digest}`).toString().padStart(20, '0')}`
}
