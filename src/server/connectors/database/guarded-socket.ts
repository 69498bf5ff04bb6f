import { Socket } from 'node:net'
import type { Server } from './server.ts'

const KEEP_ALIVE_MS = 10_000

/** A socket that only connects to allowed addresses of its server, whatever host it is asked for. */
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
