// Shared setup of the copy benchmarks: a database, a sandbox, and copies in separate processes.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { sandboxMemory } from '../scripts/sandbox-memory.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { requestJson } from '../test/fixtures/person.ts'
import { benchFolder } from './bench-folder.ts'
import { cpuTime } from './cpu-time.ts'

/** One second longer than the idle time after which sandbox/sheets/store starts a compaction. */
const QUIET_MS = 4_000

const Measured = z.object({
  seconds: z.number(),
  cpu_seconds: z.number(),
  peak_mb: z.number(),
  said: z.string(),
})
/** `cpu`: CPU seconds by process, which depend little on other load on the machine. */
type Result = z.infer<typeof Measured> & { cpu: Record<string, number> }

export type Value = string | number | boolean

type Role = 'plain' | 'verified' | 'copy' | 'live'
/**
 * `preview`: the copy is only previewed. `key_column`: rows are updated by this key; otherwise they are replaced. `undo`: the last change of
 * the target is undone.
 */
type Books = { source: string; target: string; preview?: boolean; key_column?: string; undo?: boolean }

export type CopyBench = {
  database_url: string
  /** Creates a spreadsheet whose tab `Table` has this grid size; returns its id. */
  book(rows: number, columns: number): Promise<string>
  /** Writes `rows` rows, starting at the first one. */
  fill(spreadsheetId: string, rows: number, row: (index: number) => Value[]): Promise<void>
  /**
   * Deletes spreadsheets and waits until the sandbox has compacted its storage. Otherwise compaction could start during a copy, and
   * the sandbox would slow down with each table.
   */
  tidy(...spreadsheetIds: string[]): Promise<void>
  /** Executes a command of bench/copy-worker.ts in a new process. */
  worker(role: Role, books: Books): Promise<Result>
  /** Starts a process that executes the command on every call, until the benchmark ends. */
  workerThatLives(role: Role): (books: Books) => Promise<Result>
  /** Sets the sandbox's latency. */
  slow(latency: { ms: number; ms_per_mb: number }): Promise<void>
}

/** Calls `work` with a sandbox and a migrated database (DATABASE_URL or a new one), then stops everything that was started. */
export async function withCopyBench(work: (bench: CopyBench) => Promise<void>): Promise<void> {
  const children: Child[] = []
  const folder = await benchFolder()
  const server = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await startPostgres({ dataDir: folder })
  try {
    await migrate({ url: server.url })
    const root = await sandbox(start, folder)
    const token = await accessToken(root)
    const startWorker = (role: Role) => {
      const env = { ROOT: root, TOKEN: token, DATABASE_URL: server.url }
      const isScript = role === 'plain' || role === 'verified'
      const child = start(['bench/copy-worker.ts', role], isScript ? env : { ...env, ...leanMemory })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return { child, work: (books: Books) => resultOf(child, lines, books) }
    }
    await work({
      database_url: server.url,
      ...spreadsheetsAt(root, token),
      slow: async (latency) => {
        await requestJson('PUT', `${root}/control/latency`, z.unknown(), { body: latency })
      },
      async tidy(...spreadsheetIds) {
        const headers = { authorization: `Bearer ${token}` }
        for (const id of spreadsheetIds) {
          const reply = await fetch(`${root}/drive/v3/files/${id}`, { method: 'DELETE', headers })
          if (!reply.ok) throw new Error(`A spreadsheet could not be removed (${reply.status})`)
        }
        await delay(QUIET_MS)
      },
      async worker(role, books) {
        const { child, work } = startWorker(role)
        const result = await work(books)
        child.stdin.end()
        await once(child, 'exit')
        return result
      },
      workerThatLives: (role) => startWorker(role).work,
    })
  } finally {
    for (const child of children) child.kill()
    // Wait for the processes, which may still be writing.
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }

  function start(args: string[], env: Record<string, string>): Child {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    children.push(child)
    return child
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>
type Start = (args: string[], env: Record<string, string>) => Child

/** Makes a worker copy these spreadsheets. */
async function resultOf(child: Child, lines: AsyncIterator<string>, books: Books): Promise<Result> {
  const before = cpuTime()
  child.stdin.write(`${JSON.stringify(books)}\n`)
  const { done, value } = await lines.next()
  if (done) {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    // SIGKILL: the machine had no memory left. SIGABRT or 134: the heap of the worker was full.
    throw new Error(`The worker ended without a result: ${child.signalCode ?? `exit code ${child.exitCode}`}`)
  }
  const result = Measured.parse(JSON.parse(value))
  const others = [...cpuTime()].map(([name, used]) => [name, used - (before.get(name) ?? 0)] as const)
  return {
    ...result,
    cpu: {
      ...Object.fromEntries(others.filter(([name, used]) => used > 0 && name !== 'MainThread')),
      worker: result.cpu_seconds,
    },
  }
}

async function sandbox(start: Start, folder: string): Promise<string> {
  const env = { SANDBOX_PORT: '0', DATA_DIR: folder }
  for await (const text of start([...sandboxMemory, 'sandbox/main.ts'], env).stdout.setEncoding('utf8')) {
    const [, root] = /ready at (\S+)/.exec(text) ?? []
    if (root) return root
  }
  throw new Error('The sandbox did not start')
}

async function accessToken(root: string): Promise<string> {
  const reply = await fetch(`${root}/control/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  return z.object({ access_token: z.string() }).parse(await reply.json()).access_token
}

/** Creates and fills spreadsheets of ada@example.com in a running sandbox. */
export const googleAt = async (root: string): Promise<Spreadsheets> =>
  spreadsheetsAt(root, await accessToken(root))

type Spreadsheets = Pick<CopyBench, 'book' | 'fill'>

function spreadsheetsAt(root: string, access_token: string): Spreadsheets {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token })
  const api = sheets({ version: 'v4', auth, rootUrl: `${root}/`, retry: false })
  return {
    book: (rows, columns) => book(api, rows, columns),
    fill: (spreadsheetId, rows, row) => fill(api, spreadsheetId, rows, row),
  }
}

async function book(api: sheets_v4.Sheets, rowCount: number, columnCount: number): Promise<string> {
  const properties = { title: 'Table', gridProperties: { rowCount, columnCount } }
  const { data } = await api.spreadsheets.create({ requestBody: { sheets: [{ properties }] } })
  return data.spreadsheetId ?? ''
}

async function fill(
  api: sheets_v4.Sheets,
  spreadsheetId: string,
  rows: number,
  row: (index: number) => Value[],
): Promise<void> {
  const step = 5_000
  for (let first = 0; first < rows; first += step) {
    const values = Array.from({ length: Math.min(step, rows - first) }, (_, index) => row(first + index))
    await api.spreadsheets.values.update({
      spreadsheetId,
      range: `Table!A${first + 1}`,
      valueInputOption: 'RAW',
      requestBody: { values },
    })
  }
}

/** A row with the mixture of a catalogue: identifiers, words, prices, counts, flags, blanks. Row 0 is the header. */
export function catalogueRow(row: number, columns: number): Value[] {
  if (row === 0) return Array.from({ length: columns }, (_, column) => `Column ${column + 1}`)
  return Array.from({ length: columns }, (_, column) => {
    const n = row * 31 + column * 7
    const kinds = [`SKU-${100_000 + row}`, n / 100, `Bolt ${n % 97} mm`, n % 2 === 0, n % 5_000, '']
    return kinds[column % kinds.length] ?? ''
  })
}
