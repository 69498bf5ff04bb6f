import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../src/server/platform/config.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { ownDataFolders } from './data-folders.ts'
import type { Launch } from './launch.ts'
import { leanMemory } from './lean-memory.ts'
import { Outages } from './outages.ts'
import { sandboxMemory } from './sandbox-memory.ts'
import { seedSandbox } from './seed.ts'
import { serviceAccount } from './service-account.ts'
import { type RunningNode, startNode } from './start-node.ts'
import { type Outage, type Supervised, supervise } from './supervise.ts'

const ROOT = join(import.meta.dirname, '..')
const START_TIMEOUT_MS = 60_000
// The sandbox loads all spreadsheets before it listens.
const SANDBOX_START_TIMEOUT_MS = 300_000

/** Address of the app on this machine. */
export type Listening = { host: string; port: number }

/**
 * Starts and supervises the database (unless DATABASE_URL is set), the sandbox (in sandbox mode), one process with the roles api
 * and scheduler, and one worker. Resolves when all of them are ready. `stop()` ends them in reverse order. If the start fails, it
 * stops everything and throws.
 */
export async function startProcesses(
  launch: Launch,
  listening: Listening,
  /** Node arguments for each process, such as --watch. */
  nodeArgs: string[] = [],
): Promise<Supervised> {
  const { config, signal } = launch
  // A configured SQLite folder gets no demo files.
  const demoFolder = config.sandboxPort && !config.sqliteFolder ? join(config.dataDir, 'sqlite') : undefined
  const { account, notice } = serviceAccount(config)
  if (notice) console.log(notice)
  ownDataFolders(config.dataDir, account)
  const outages = new Outages()
  const common: Record<string, string> = {
    DATA_DIR: config.dataDir,
    // The system account cannot write to node_modules/.cache.
    ...(account && { NODE_COMPILE_CACHE: join(config.dataDir, 'cache') }),
  }
  const started: Supervised[] = []
  const stop = async () => {
    for (const supervised of started.splice(0).reverse()) await supervised.stop()
  }
  const startProgram = async (
    name: string,
    program: string,
    env: Record<string, string>,
    {
      memory = [],
      ...watch
    }: {
      onStart?: (running: RunningNode) => void
      onOutage?: (outage: Outage | undefined) => void
      memory?: string[]
    },
  ) => {
    signal.throwIfAborted()
    const start = async () => {
      const running = await startNode(
        [...memory, ...nodeArgs, join(ROOT, program)],
        { ...common, ...env },
        account,
      )
      watch.onStart?.(running)
      return running
    }
    started.push(await supervise({ name, start, ...watch }))
  }

  try {
    const database = await startDatabase(config, (outage) => outages.report('database', outage))
    started.push(database)
    await migrate({ url: database.url })
    if (config.sandboxPort) {
      await seedSandbox(database.url, config.sandboxPort)
      const env = {
        SANDBOX_PORT: String(config.sandboxPort),
        ...(demoFolder && { SQLITE_FOLDER: demoFolder }),
        // So do configured folders of files.
        ...(!process.env.FILES_FOLDERS?.trim() && { DEMO_FILES_FOLDER: join(config.dataDir, 'files') }),
        // The control API has no authentication.
        HOST: '127.0.0.1',
      }
      const onOutage = (outage: Outage | undefined) => outages.report('sandbox', outage)
      await startProgram('The sandbox', 'sandbox/main.ts', env, { onOutage, memory: sandboxMemory })
    }
    const env = {
      ...leanMemory,
      DATABASE_URL: database.url,
      // The key file is readable only by this user.
      SECRET_KEY: config.secretKey,
      HOST: listening.host,
      PORT: String(listening.port),
      // Without a configured host, processes derive the URL from the port.
      ...((config.publicHost || listening.port !== config.port) && { PUBLIC_URL: config.publicUrl }),
      ...(config.sandboxPort && { SANDBOX_PORT: String(config.sandboxPort) }),
      ...(demoFolder && { SQLITE_FOLDER: demoFolder }),
    }
    const program = 'src/server/main.ts'
    await startProgram(
      'The api process',
      program,
      { ...env, ROLES: 'api,scheduler' },
      {
        onStart: (api) => outages.sendTo(api),
      },
    )
    await startProgram(
      'The worker',
      program,
      { ...env, ROLES: 'worker' },
      {
        onOutage: (outage) => outages.report('worker', outage),
      },
    )
    await answering(`http://${reachable(listening.host)}:${listening.port}/readyz`, START_TIMEOUT_MS, signal)
    if (config.sandboxPort) {
      const discovery = `http://127.0.0.1:${config.sandboxPort}/.well-known/openid-configuration`
      await answering(discovery, SANDBOX_START_TIMEOUT_MS, signal)
    }
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startDatabase(
  config: Config,
  onOutage: (outage: Outage | undefined) => void,
): Promise<Supervised & { url: string }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} }
  let url = ''
  const start = async () => {
    // After a restart the port must stay the same, because other processes use it.
    const port = url === '' ? undefined : Number(new URL(url).port)
    const postgres = await startPostgres({ dataDir: config.dataDir, port })
    url = postgres.url
    return { ended: postgres.exited.then(() => 'see logs/postgres.log'), stop: postgres.stop }
  }
  const supervised = await supervise({ name: 'The database', start, onOutage })
  return { ...supervised, url }
}

async function answering(url: string, longestMs: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + longestMs
  let last = 'no answer'
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) })
      const text = await reply.text()
      if (reply.ok) return
      last = `${reply.status} ${text.slice(0, 500)}`
    } catch (error) {
      last = String(error)
    }
    await sleep(50)
  }
  throw new Error(`Rowferry did not get ready within ${longestMs / 60_000} min (${url}: ${last}).`)
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
