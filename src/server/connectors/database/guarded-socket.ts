import { Socket } from 'node:net'
import { guardedLookup } from '../guarded/lookup.ts'
import type { Server } from './server.ts'

const KEEP_ALIVE_MS = 10_000

/** A socket that connects to nothing but addresses of its server that may be reached, whatever host it is told. */
export class GuardedSocket extends Socket {
  readonly #server: Server

  constructor(server: Server) {
    super()
    this.#server = server
    this.setKeepAlive(true, KEEP_ALIVE_MS)
  }

  override connect(..._told: unknown[]): this {
    const { host, port, rules } = this.#server
    return super.connect({ host, port, lookup: guardedLookup(rules, port) })
  }
}
