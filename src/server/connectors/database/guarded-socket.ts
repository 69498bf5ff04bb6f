import { Socket } from 'node:net'
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
    return super.connect(this.#server)
  }
}
