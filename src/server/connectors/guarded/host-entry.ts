import ipaddr from 'ipaddr.js'
import { type Address, canonicalHost, EMBEDDING, isWithin, METADATA, parseAddress } from './hosts.ts'

/** One entry of the list of allowed hosts, taken apart. `text`: as it is kept. `port` null: any. */
export type HostEntry = { text: string; port: number | null } & (
  | { kind: 'name'; name: string }
  | { kind: 'below'; suffix: string }
  | { kind: 'range'; range: [Address, number] }
)

/** Takes an entry apart; null where it is none, or a range that holds private addresses beside others or IPv4 addresses within IPv6. */
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

// This machine and the networks around it.
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
 * Whether a range lets in one of these networks beside others, as 0.0.0.0/0 does, or addresses that lead to IPv4 ones: those are listed
 * as what they lead to.
 */
const isTooWide = (range: [Address, number]) =>
  INSIDE.some((inside) => range[1] < inside[1] && isWithin(inside[0], [range])) || embeds(range)

const embeds = (range: [Address, number]) =>
  !isOnlyThisMachine(range) &&
  EMBEDDING.some((other) => isWithin(other[0], [range]) || isWithin(range[0], [other]))

// ::1, which no IPv4 address is meant by.
const isOnlyThisMachine = ([address, bits]: [Address, number]) =>
  bits === 128 && address.range() === 'loopback'

/** An IPv6 address or range has brackets where a port follows, and may have none otherwise. */
function splitPort(entry: string): { host: string; port: number | null } | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  if (digits === undefined) return { host, port: null }
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : null
}
