import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import { z } from 'zod'

/** Both sockets of a proxied connection. `answers` transforms the server's replies. */
type Pair = { near: Socket; far: Socket; answers: Duplex }

const Address = z.object({ port: z.int() })

/** A TCP proxy on loopback that simulates network failures. */
export class TcpProxy {
  /** Listening port. */
  readonly port: number
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #open = true

  /** Starts a proxy for the loopback server at `port`; `change` creates the transform of each connection's replies. */
  static async before(port: number, change: () => Duplex = () => new PassThrough()): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TcpProxy(server, port, change)
  }

  private constructor(server: Server, behind: number, change: () => Duplex) {
    this.#server = server
    this.port = Address.parse(server.address()).port
    server.on('connection', (near) =>
      this.#pair({ near, far: connect({ port: behind, host: '127.0.0.1' }), answers: change() }),
    )
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#pairs.size
  }

  /** Closes every connection on both sides. */
  cut(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.resetAndDestroy()
  }

  /** Drops all further data on open connections without closing them. New connections work. */
  silence(): void {
    for (const { near, far, answers } of this.#pairs) {
      near.unpipe(far).pause()
      far.unpipe(answers).pause()
    }
  }

  /** As `silence`; new connections receive no replies either, until `resume`. */
  blackhole(): void {
    this.#open = false
    this.silence()
  }

  /** Forwards new connections again. Silenced connections stay silent. */
  resume(): void {
    this.#open = true
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pair(pair: Pair): void {
    const { near, far, answers } = pair
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    if (!this.#open) return
    near.pipe(far)
    far.pipe(answers).pipe(near)
  }
}
