import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import { z } from 'zod'

/** `answers`: transforms the replies of the server. */
type Pair = { near: Socket; far: Socket; answers: Duplex }

const Address = z.object({ port: z.int() })

/** A TCP proxy on loopback that can drop traffic as a network does. */
export class TcpProxy {
  /** Where it listens. */
  readonly port: number
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  #open = true

  /** Starts one in front of the server at `port` of loopback; `change` makes the transformation of each connection's replies. */
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

  /** The number of connections that pass through it. */
  get connections(): number {
    return this.#pairs.size
  }

  /** Closes every connection; both ends notice. */
  cut(): void {
    for (const { near, far } of this.#pairs) for (const socket of [near, far]) socket.resetAndDestroy()
  }

  /** From now on no data arrives on the open connections, and neither end is notified. New connections work. */
  silence(): void {
    for (const { near, far, answers } of this.#pairs) {
      near.unpipe(far).pause()
      far.unpipe(answers).pause()
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
