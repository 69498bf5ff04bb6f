import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends, as the server begins to close, the connections on which nothing was ever sent. Browsers open some ahead of need;
 * Node counts those as busy and would wait a minute for them.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  })
}
