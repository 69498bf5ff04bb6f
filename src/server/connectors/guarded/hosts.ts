import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 or IPv6 address; IPv4 within IPv6 is IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * The host as names and addresses are compared: lower case, without the dot at its end, in ASCII, an address in its usual form
 * however it was written (2130706433 is 127.0.0.1). Null where it is no host.
 */
export function canonicalHost(text: string): string | null {
  const isPlain = !/[\s/?#@\\:%[\]]/.test(text)
  if (text === '' || !(isPlain || isIPv6(text))) return null
  const url = URL.parse(`http://${isPlain ? text : `[${text}]`}/`)
  const host = url?.hostname.replace(/^\[|\]$|\.$/g, '') ?? ''
  return host === '' ? null : (parseAddress(host)?.toString() ?? host)
}

/** The address that a canonical host is; null where it is a name. */
export const parseAddress = (host: string): Address | null =>
  ipaddr.isValid(host) ? ipaddr.process(host) : null

/** What a range of addresses is for, in a word for people; '' of public ones. */
export function kindOfAddress(address: Address): string {
  const range = address.range()
  if (range === 'unicast') return ''
  if (range === 'linkLocal') return 'link-local'
  if (range === 'loopback') return 'loopback'
  return range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat'
    ? 'private'
    : 'reserved'
}
