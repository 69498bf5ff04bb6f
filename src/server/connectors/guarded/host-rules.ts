import { originMessages } from '../../../contract/connections/server-messages.ts'
import { OriginFailure } from '../connector.ts'
import { parseHostEntry } from './host-entry.ts'
import { type Address, canonicalHost, kindOfAddress, parseAddress } from './hosts.ts'

/**
 * Allowed hosts as administrators list them: a name (`*.example.com`: all subdomains), an address or a range, each
 * with or without `:port`. IPv6 with a port needs brackets.
 */
export type HostRules = { entries: readonly string[] }

/** Whether a host is allowed, and its canonical form; the message is for people. */
export type HostVerdict = { ok: true; host: string } | { ok: false; message: string }

/** Whether the rules allow a host, in any notation. The addresses of a name are checked by `judgeAddress`. */
export function judgeHost(rules: HostRules, host: string, port: number): HostVerdict {
  const canonical = canonicalHost(host)
  if (canonical === null) return { ok: false, message: originMessages.host_invalid(host) }
  const address = parseAddress(canonical)
  if (address) {
    if (isListed(rules, address, port)) return { ok: true, host: canonical }
    return { ok: false, message: originMessages.address_not_allowed(canonical, port, kindOfAddress(address)) }
  }
  const allowed = entriesFor(rules, port).some(
    (entry) =>
      (entry.kind === 'name' && entry.name === canonical) ||
      (entry.kind === 'below' && canonical.endsWith(entry.suffix)),
  )
  return allowed
    ? { ok: true, host: canonical }
    : { ok: false, message: originMessages.host_not_allowed(canonical, port) }
}

/** A host that is not on the list. */
export class HostNotAllowed extends OriginFailure {
  constructor(message: string) {
    super('forbidden', message)
  }
}

/** The canonical form of an allowed host. Throws HostNotAllowed, or OriginFailure for invalid text. */
export function allowedHost(rules: HostRules, host: string, port: number): string {
  const verdict = judgeHost(rules, host, port)
  if (verdict.ok) return verdict.host
  if (canonicalHost(host) === null) throw new OriginFailure('invalid', verdict.message)
  throw new HostNotAllowed(verdict.message)
}

/** Why an address of an allowed name may not be connected to; null if it may. */
export function judgeAddress(rules: HostRules, name: string, text: string, port: number): string | null {
  const address = parseAddress(text)
  if (address && (kindOfAddress(address) === '' || isListed(rules, address, port))) return null
  return originMessages.name_leads_inside(name, text, address ? kindOfAddress(address) : 'reserved')
}

const isListed = (rules: HostRules, address: Address, port: number) =>
  entriesFor(rules, port).some(
    (entry) =>
      entry.kind === 'range' && entry.range[0].kind() === address.kind() && address.match(entry.range),
  )

const entriesFor = ({ entries }: HostRules, port: number) =>
  entries
    .flatMap((text) => parseHostEntry(text) ?? [])
    .filter((entry) => entry.port === null || entry.port === port)
