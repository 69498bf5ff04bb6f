import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 or IPv6 address. IPv4-mapped IPv6 addresses are IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Canonical form for comparisons: lower case, ASCII, without a trailing dot; addresses in usual notation (2130706433
 * is 127.0.0.1). Null if it is not a host.
 */
export function canonicalHost(text: string): string | null {
  const isPlain = !/[\s/?#@\\:%[\]]/.test(text)
  if (text === '' || !(isPlain || isIPv6(text))) return null
  const url = URL.parse(`http://${isPlain ? text : `[${text}]`}/`)
  const host = url?.hostname.replace(/^\[|\]$|\.$/g, '') ?? ''
  return host === '' ? null : (parseAddress(host)?.toString() ?? host)
}

/** Parses a canonical host as an address; null for a name. */
export const parseAddress = (host: string): Address | null =>
  ipaddr.isValid(host) ? ipaddr.process(host) : null

/**
 * IPv6 ranges that embed IPv4 addresses: compatible and mapped addresses, translation (RFC 6052, 6145, 8215), Teredo,
 * 6to4.
 */
export const EMBEDDING: [Address, number][] = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
].map((range) => ipaddr.parseCIDR(range))

/**
 * Metadata services of clouds, which return credentials, at public-looking addresses. Others are in private ranges.
 */
export const METADATA: [Address, number][] = [
  // Azure
  '168.63.129.16/32',
  // Oracle, in a reserved range
  '192.0.0.192/32',
].map((range) => ipaddr.parseCIDR(range))

/** Whether a range contains the address. */
export const isWithin = (address: Address, ranges: readonly [Address, number][]): boolean =>
  ranges.some((range) => range[0].kind() === address.kind() && address.match(range))

/** The kind of an address, for messages; '' for public ones. */
export function kindOfAddress(address: Address): string {
  const range = address.range()
  if (isWithin(address, METADATA)) return 'private'
  if (range === 'unicast') return isWithin(address, EMBEDDING) ? 'reserved' : ''
  if (range === 'linkLocal') return 'link-local'
  if (range === 'loopback') return 'loopback'
  return range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat'
    ? 'private'
    : 'reserved'
}
