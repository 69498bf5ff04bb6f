import ipaddr from 'ipaddr.js'
import { type Address, canonicalHost, EMBEDDING, isWithin, METADATA, parseAddress } from './hosts.ts'

/** A parsed entry of the list of allowed hosts. `text`: as stored. `port` null: any. */
export type HostEntry = { text: string; port: number | null } & (
  | { kind: 'name'; name: string }
  | { kind: 'below'; suffix: string }
  | { kind: 'range'; range: [Address, number] }
)

/**
 * Parses an entry; null if it is invalid, or a range that mixes private and other addresses, or IPv4 addresses
 * embedded in IPv6.
 */
export function parseHostEntry(entry: string): HostEntry | null {
  const split = splitPort(entry.trim())
  if (!split) return null
  const { host, port } = split
  const kept = (text: string) => {
    if (port === null) return text
    return text.includes(':') ? `[${text}]:${port}` : `${text}:${port}`
  }
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(host) || ipaddr.IPv6.isValidCIDR(host)) {
    const range = ipaddr.parseCIDR(host)
    if (isTooWide(range)) return null
    return { kind: 'range', range, port, text: kept(`${range[0]}/${range[1]}`) }
  }
  const isBelow = host.startsWith('*.')
  const name = canonicalHost(isBelow ? host.slice(2) : host)
  if (name === null || name.includes('*')) return null
  const address = parseAddress(name)
  if (address && isBelow) return null
  if (address) {
    const range: [Address, number] = [address, address.kind() === 'ipv4' ? 32 : 128]
    return isTooWide(range) ? null : { kind: 'range', range, port, text: kept(name) }
  }
  return isBelow
    ? { kind: 'below', suffix: `.${name}`, port, text: kept(`*.${name}`) }
    : { kind: 'name', name, port, text: kept(name) }
}

// Local and private networks.
const INSIDE: [Address, number][] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
].map((range) => ipaddr.parseCIDR(range))
INSIDE.push(...METADATA)

/**
 * Whether a range includes one of these networks besides others, as 0.0.0.0/0 does, or IPv6 addresses with embedded
 * IPv4 addresses, which must be listed as IPv4.
 */
const isTooWide = (range: [Address, number]) =>
  INSIDE.some((inside) => range[1] < inside[1] && isWithin(inside[0], [range])) || embeds(range)

const embeds = (range: [Address, number]) =>
  !isOnlyThisMachine(range) &&
  EMBEDDING.some((other) => isWithin(other[0], [range]) || isWithin(range[0], [other]))

// ::1 does not embed an IPv4 address.
const isOnlyThisMachine = ([address, bits]: [Address, number]) =>
  bits === 128 && address.range() === 'loopback'

/** An IPv6 address or range needs brackets if a port follows. */
function splitPort(entry: string): { host: string; port: number | null } | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  if (digits === undefined) return { host, port: null }
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : null
}
