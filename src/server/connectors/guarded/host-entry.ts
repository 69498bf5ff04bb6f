import ipaddr from 'ipaddr.js'
import { type Address, canonicalHost, parseAddress } from './hosts.ts'

/** One entry of the list of allowed hosts, taken apart. `text`: as it is kept. `port` null: any. */
export type HostEntry = { text: string; port: number | null } & (
  | { kind: 'name'; name: string }
  | { kind: 'below'; suffix: string }
  | { kind: 'range'; range: [Address, number] }
)

/** Takes an entry apart; null where it is none. */
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

/** An IPv6 address or range has brackets where a port follows, and may have none otherwise. */
function splitPort(entry: string): { host: string; port: number | null } | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = bracketed ?? plain ?? entry
  if (bracketed !== undefined && !bracketed.includes(':')) return null
  if (digits === undefined) return { host, port: null }
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : null
}
