import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Processes of a killed Rowferry exit within this time.
const RETRY_FOR_MS = 3_000

/** A port is unavailable. The message names its variable and the solution. */
export class PortError extends Error {
  override name = 'PortError'
}

/** Checks that a port is available. Retries for 3 s if it is in use, then throws PortError. */
export async function requireFreePort(variable: string, host: string, port: number): Promise<void> {
  for (let waited = 0; ; waited += 100) {
    const code = await whyNotFree(host, port)
    if (code === undefined) return
    if (code !== 'EADDRINUSE') {
      throw new PortError(`${variable}: ${host} port ${port} cannot be listened on (${code}).`)
    }
    if (waited >= RETRY_FOR_MS) {
      throw new PortError(
        `${variable}: port ${port} is taken by another program. Stop that, or choose another one: ${variable}=${port + 10} npm start`,
      )
    }
    await sleep(100)
  }
}

async function whyNotFree(host: string, port: number): Promise<string | undefined> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  } finally {
    probe.close()
  }
}
