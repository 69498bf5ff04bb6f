import { createHash } from 'node:crypto'
import { z } from 'zod'

export const Email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase())

export const Account = z.object({
  email: Email,
  name: z.string(),
  /** Google's stable subject: 21 digits, derived from the address so that a wiped sandbox knows people again. */
  sub: z.string(),
  /** The Workspace domain; null for a consumer account, even one whose address looks like a company's. */
  hd: z.string().nullable(),
  /** Counts revocations: access tokens carry the number they were made under. */
  epoch: z.number(),
})
export type Account = z.infer<typeof Account>

const consumerDomains = new Set(['example.com', 'gmail.com', 'googlemail.com'])

/** An account for any address: name from its local part, a Workspace domain unless the domain is a consumer one. */
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
