import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { sandboxMemory } from '../scripts/sandbox-memory.ts'
import { startNode } from '../scripts/start-node.ts'
import { freePort } from '../src/server/platform/free-port.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { requestJson, type Send, signIn } from '../test/fixtures/person.ts'
import { benchFolder } from './bench-folder.ts'

/** A whole installation on loopback with a number of worker processes. */
export type App = {
  /** Root URL of the app. */
  root: string
  /** Root URL of the sandbox. */
  google: string
  database_url: string
  /** Resident memory of the api process in bytes. */
  memory: () => Promise<number>
  signIn: (email: string) => Promise<Send>
  stop: () => Promise<void>
}

// Maximum per process.
const CONNECTIONS = 24
const METRICS_TOKEN = 'only for this bench'

/** Starts the database, the sandbox, an api process (by default with a scheduler) and workers. On an error, stops everything and throws. */
export async function startApp(workers: number, roles = 'api,scheduler'): Promise<App> {
  const folder = await benchFolder()
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  const program = async (path: string, env: Record<string, string>, memory: string[] = []) => {
    stops.push((await startNode([...memory, path], { DATA_DIR: folder, HOST: '127.0.0.1', ...env })).stop)
  }
  try {
    const max_connections = String(CONNECTIONS * (workers + 2))
    const server = await startPostgres({ dataDir: folder, settings: { max_connections } })
    stops.push(server.destroy)
    await migrate({ url: server.url })
    const [port, sandboxPort] = [await freePort(), await freePort()]
    const [root, google] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandboxPort}`]
    const env = {
      DATABASE_URL: server.url,
      PORT: String(port),
      PUBLIC_URL: root,
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'error',
      METRICS_TOKEN,
    }
    await program('sandbox/main.ts', env, sandboxMemory)
    await answers(`${google}/.well-known/openid-configuration`)
    await program('src/server/main.ts', { ...env, ...leanMemory, ROLES: roles })
    // An api process without a scheduler is not ready until another process has created the queue.
    await answers(`${root}/${roles === 'api' ? 'healthz' : 'readyz'}`)
    for (let n = 0; n < workers; n += 1)
      await program('src/server/main.ts', { ...env, ...leanMemory, ROLES: 'worker' })
    return {
      root,
      google,
      database_url: server.url,
      memory: () => memory(root),
      signIn: async (email) => (await signIn(root, email)).send,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Calls the sandbox's control API. Throws on an error status. */
export async function control<T>(
  google: string,
  { method, path, body }: { method: string; path: string; body?: object },
  reply: z.core.$ZodType<T>,
): Promise<T> {
  return requestJson(method, `${google}/control/${path}`, reply, { body })
}

async function memory(root: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${root}/metrics`, { headers })).text()
  const bytes = /^rowferry_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
  if (bytes === undefined) throw new Error('The metrics do not tell the memory')
  return Number(bytes)
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const reply = await fetch(url).catch(() => null)
    await reply?.arrayBuffer()
    if (reply?.ok) return
    await delay(100)
  }
  throw new Error(`${url} does not answer`)
}
