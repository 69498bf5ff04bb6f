import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port of the loopback address: `wanted` if possible. */
export async function freePort(wanted = 0): Promise<number> {
  const probe = createServer()
  try {
    probe.listen(wanted, '127.0.0.1')
    await once(probe, 'listening')
    const address = probe.address()
    if (address === null || typeof address === 'string') throw new Error('The probe has no port')
    return address.port
  } catch (error) {
    if (wanted === 0) throw error
    return freePort()
  } finally {
    probe.close()
  }
}
