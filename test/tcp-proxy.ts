import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { z } from 'zod'

const Address = z.object({ port: z.int() })

/** A TCP proxy on loopback that can lose what goes through it as a network does. */
export class TcpProxy {
  /** Where it listens. */
  readonly port: number
  readonly #server: Server
  readonly #pairs = new Set<[Socket, Socket]>()
  #open = true

  /** Starts one before the server at `port` of loopback. */
  static async before(port: number): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, port)
  }

  private constructor(server: Server, behind: number) {
    this.#server = server
    this.port = Address.parse(server.address()).port
    server.on('connection', (near) => this.#pair(near, connect({ port: behind, host: '127.0.0.1' })))
  }

  /** The number of connections that pass through it. */
  get connections(): number {
    return this.#pairs.size
  }

  /** Breaks every connection, so that both ends are told. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.resetAndDestroy()
  }

  /** From now on nothing arrives on the connections that are open, and neither end is told. New ones are well. */
  silence(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause()
      far.unpipe(near).pause()
    }
  }

  /** From now on new connections get no answer, either; until `resume`. */
  blackhole(): void {
    this.#open = false
    this.silence()
  }

  /** New connections pass again; those that were silenced stay so. */
  resume(): void {
    this.#open = true
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pair(near: Socket, far: Socket): void {
    const pair: [Socket, Socket] = [near, far]
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    if (!this.#open) return
    near.pipe(far)
    far.pipe(near)
  }
}
