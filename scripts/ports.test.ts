import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../src/server/platform/free-port.ts'
import { requireFreePort } from './ports.ts'

it('names the variable, the port and a remedy if a port is taken', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const address = occupant.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  await expect(requireFreePort('PORT', '127.0.0.1', port)).rejects.toThrow(
    `PORT: port ${port} is taken by another program. Stop that, or choose another one: PORT=${port + 10} npm start`,
  )
  occupant.close()
})

it('waits for a port that is about to be freed', async () => {
  const port = await freePort()
  const occupant = createServer().listen(port, '127.0.0.1')
  await once(occupant, 'listening')
  const free = requireFreePort('PORT', '127.0.0.1', port)
  setTimeout(() => occupant.close(), 300)
  await free
})

it('names an address that this machine does not have', async () => {
  await expect(requireFreePort('HOST', '192.0.2.1', 3000)).rejects.toThrow('EADDRNOTAVAIL')
})
