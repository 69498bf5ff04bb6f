import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../src/server/platform/free-port.ts'
import { quickestFolder } from '../runner/quickest-folder.ts'

const START_TIMEOUT_MS = 90_000

/** Email address of the service account whose key the app has. */
export const SERVICE_ACCOUNT = 'copier@catalogue-team.iam.gserviceaccount.com'

export type RunningApp = {
  url: string
  sandboxUrl: string
  /** URL of the app's embedded PostgreSQL. */
  databaseUrl: string
  /** The file of the test that ran last. */
  lastFile?: string
  stop: () => Promise<void>
}

/** Starts the app as `npm start` does, with its own data folder and ports. If it does not start, throws with its output. */
export async function startApp(): Promise<RunningApp> {
  const dataDir = await mkdtemp(join(await quickestFolder(), 'rowferry-e2e-'))
  // If root runs the tests, the database server's user needs access.
  await chmod(dataDir, 0o711)
  const port = await freePort()
  const sandboxPort = await freePort()
  const app = spawn(process.execPath, ['--import', './scripts/exit-with-parent.ts', 'scripts/start.ts'], {
    env: {
      ...process.env,
      // empty: the embedded database, as on a new installation
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'warn',
      GOOGLE_SERVICE_ACCOUNT_FILE: await writeKeyFile(dataDir),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(app, 'exit')
  let output = ''
  const ready = new Promise<void>((resolve) => {
    app.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Rowferry is ready at')) resolve()
    })
  })
  const outcome = await Promise.race([
    ready.then(() => 'ready'),
    ended.then(() => 'it ended'),
    new Promise<string>((resolve) => setTimeout(() => resolve('it took too long'), START_TIMEOUT_MS).unref()),
  ])
  const stop = async () => {
    app.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
  if (outcome !== 'ready') {
    await stop()
    throw new Error(`The app did not start, ${outcome}:\n${output}`)
  }
  return {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    databaseUrl: await embeddedDatabaseUrl(dataDir),
    stop,
  }
}

async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const { password, port } = z
    .object({ password: z.string(), port: z.number() })
    .parse(JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')))
  return `postgresql://rowferry:${password}@127.0.0.1:${port}/rowferry`
}

/** Writes a key that the sandbox does not accept: the pages only need its email address. */
async function writeKeyFile(folder: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = join(folder, 'service-account.json')
  const key = {
    type: 'service_account',
    client_email: SERVICE_ACCOUNT,
    private_key_id: 'e2e',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  await writeFile(file, JSON.stringify(key))
  // If root runs the tests, the app's processes read the file as another system account.
  await chmod(file, 0o644)
  return file
}
