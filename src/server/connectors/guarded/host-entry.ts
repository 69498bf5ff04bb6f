import ipaddr from 'ipaddr.js'
import { type Address, canonicalHost, parseAddress } from './hosts.ts'

/** One entry of the list of allowed hosts, taken apart. `text`: as it is kept. `port` null: any. */
export type HostEntry = { text: string; port: number | null } & (
  | { kind: 'name'; name: string }
  | { kind: 'below'; suffix: string }
  | { kind: 'range'; range: [Address, number] }
)

/** Takes an entry apart; null where it is none, or a range that holds private addresses beside others. */
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
    const bits = address.kind() === 'ipv4' ? 32 : 128
    return { kind: 'range', range: [address, bits], port, text: kept(name) }
  }
  return isBelow
    ? { kind: 'below', suffix: `.${name}`, port, text: kept(`*.${name}`) }
    : { kind: 'name', name, port, text: kept(name) }
}

// This machine, the networks around it, and what leads there.
const INSIDE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  '64:ff9b::/96',
  'fc00::/7',
  'fe80::/10',
].map((range) => ipaddr.parseCIDR(range))

/** Whether a range lets in one of these networks beside others, as 0.0.0.0/0 does. */
const isTooWide = ([address, bits]: [Address, number]) =>
  INSIDE.some(
    ([inside, itsBits]) =>
      inside.kind() === address.kind() && bits < itsBits && inside.match([address, bits]),
  )

/** An IPv6 address or range has brackets where a port follows, and may have none otherwise. */
function splitPort(entry: string): { host: string; port: number | null } | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  if (digits === undefined) return { host, port: null }
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : null
}
