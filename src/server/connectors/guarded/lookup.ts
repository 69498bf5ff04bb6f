import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { type HostRules, judgeAddress } from './host-rules.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>

const resolveByDns: Resolve = (name) => lookup(name, { all: true })

/**
 * `lookup` option of a socket: resolves a name and checks each address right before connecting to exactly these.
 * Sockets do not call it for literal addresses, which `judgeHost` checks. The socket's error is an OriginFailure.
 */
export function guardedLookup(
  rules: HostRules,
  port: number,
  resolve: Resolve = resolveByDns,
): LookupFunction {
  return (name, { all, family }, callback) => {
    resolveGuarded(rules, name, port, resolve).then(
      (addresses) => {
        const wanted = addresses.filter((address) => family === undefined || isFamily(address, family))
        const [first] = wanted
        if (!first) callback(new OriginFailure('unavailable', originMessages.name_unknown(name)), [])
        else if (all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, []),
    )
  }
}

// 0 and undefined mean both families.
const isFamily = (address: LookupAddress, family: number | 'IPv4' | 'IPv6') =>
  family === 0 || address.family === family || `IPv${address.family}` === family

/** Resolves a name to allowed addresses. Throws OriginFailure. */
async function resolveGuarded(
  rules: HostRules,
  name: string,
  port: number,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  let addresses: LookupAddress[]
  try {
    addresses = await resolve(name)
  } catch (cause) {
    throw new OriginFailure('unavailable', originMessages.name_unknown(name), { cause })
  }
  for (const { address } of addresses) {
    const refusal = judgeAddress(rules, name, address, port)
    if (refusal !== null) throw new OriginFailure('forbidden', refusal)
  }
  return addresses
}
