import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a request may be on its way to us on a connection that exists; milliseconds. */
const ON_ITS_WAY_MS = 1_000

/**
 * Ends, soon after the server has begun to close, the connections on which nothing was ever sent. Browsers open some
 * ahead of need; Node counts those as busy and would wait a minute for them.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, ON_ITS_WAY_MS)
    app.server.once('close', () => clearInterval(timer))
    // Whoever has connected by now is let in before the door closes; else the system would turn them away.
    await nextTurn()
  })
}
