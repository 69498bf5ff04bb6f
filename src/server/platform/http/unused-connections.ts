import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a request may be on its way to us on a connection that exists; milliseconds. */
const ON_ITS_WAY_MS = 1_000
/** Turns of the event loop, of which each accepts a connection. */
const MOST_TURNS = 50

/**
 * As the server begins to close, lets in who has connected by then, whom the system would else turn away, and soon
 * after ends the connections on which nothing was ever sent. Browsers open some ahead of need; Node counts those as busy
 * and would wait a minute for them.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  let accepted = 0
  app.server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, ON_ITS_WAY_MS)
    app.server.once('close', () => clearInterval(timer))
    for (let turn = 0, before = -1; turn < MOST_TURNS && before !== accepted; turn += 2) {
      before = accepted
      await nextTurn()
      await nextTurn()
    }
  })
}
