import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { database, serveBooks, serverOn } from '../../../../test/fixtures/books-app.ts'

serveBooks()

/** A listening server, and two connections to it without a request. */
async function connected() {
  const server = await serverOn(database.db)
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const open = async (): Promise<Socket> => {
    const accepted = once(server.server, 'connection')
    const socket = connect(Number(port), '127.0.0.1')
    await accepted
    return socket
  }
  return { server, first: await open(), second: await open() }
}

test('closing the server ends connections without a request, and answers a request that arrives meanwhile', async () => {
  const { server, first, second } = await connected()
  const ended = once(first, 'close')
  const closed = server.close()
  await expect.poll(() => server.server.listening).toBe(false)
  second.end('GET /go HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  expect(await text(second)).toMatch(/^HTTP.1.1 302 /)
  await Promise.all([closed, ended])
})
