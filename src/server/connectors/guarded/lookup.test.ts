import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { guardedLookup } from './lookup.ts'

/** Connects to a name that resolves to these addresses in turn, with a server on loopback. */
async function connectTo(entries: string[], ...answers: string[][]) {
  const server = createServer((socket) => socket.end('reached'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.int() }).parse(server.address())
  const resolve = async () => {
    const addresses = answers.shift() ?? []
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const lookup = guardedLookup(
    { entries: entries.map((entry) => entry.replace('PORT', `${port}`)) },
    port,
    resolve,
  )
  const attempt = async () => {
    const socket = connect({ host: 'rebinds.example', port, lookup })
    try {
      const [data] = await once(socket, 'data')
      return String(data)
    } finally {
      socket.destroy()
    }
  }
  return attempt
}

test('a socket reaches an address that is listed', async () => {
  const attempt = await connectTo(['127.0.0.0/8:PORT'], ['127.0.0.1'])
  await expect(attempt()).resolves.toBe('reached')
})

test('a name that later resolves to a private address is refused when connecting', async () => {
  const attempt = await connectTo(['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1'])
  await expect(attempt()).resolves.toBe('reached')
  await expect(attempt()).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'rebinds.example leads to 10.0.0.1, a private address that is not on the list of allowed hosts.',
  })
})

test('one forbidden address refuses all addresses of a name', async () => {
  const attempt = await connectTo(['127.0.0.1'], ['127.0.0.1', '::1'])
  await expect(attempt()).rejects.toMatchObject({ kind: 'forbidden', message: expect.stringMatching('::1') })
})

test('a name without addresses is retried', async () => {
  const attempt = await connectTo([], [])
  await expect(attempt()).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The name rebinds.example could not be resolved.',
  })
})
