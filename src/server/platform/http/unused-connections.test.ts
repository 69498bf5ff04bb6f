import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { endUnusedConnections } from './unused-connections.ts'

test('a server that closes does not wait for a connection that a browser opened ahead of need', async () => {
  const app = fastify()
  endUnusedConnections(app)
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const arrived = once(app.server, 'connection')
  const socket = connect(Number(port), '127.0.0.1')
  const ended = once(socket, 'close')
  await arrived
  await app.close()
  await ended
})

test('a request that is under way when the server begins to close is answered', async () => {
  const app = fastify()
  endUnusedConnections(app)
  const begun = Promise.withResolvers<void>()
  const wait = Promise.withResolvers<string>()
  app.get('/', () => {
    begun.resolve()
    return wait.promise
  })
  const reply = fetch(await app.listen({ host: '127.0.0.1', port: 0 }))
  await begun.promise
  const closed = app.close()
  wait.resolve('answered')
  expect(await (await reply).text()).toBe('answered')
  await closed
})

test('a request that was still on its way when the server began to close is answered', async () => {
  const app = fastify({ return503OnClosing: false })
  endUnusedConnections(app)
  app.get('/', () => 'answered')
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const arrived = once(app.server, 'connection')
  const socket = connect(Number(port), '127.0.0.1')
  await arrived
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  socket.end('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  let reply = ''
  for await (const text of socket.setEncoding('utf8')) reply += text
  expect(reply).toMatch(/^HTTP.1.1 200 /)
  await closed
})
