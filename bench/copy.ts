// A copy of rows x columns, verified and with its receipt, against a plain script with Google's client that reads the
// same range and writes it, nothing else; both as processes of their own on the same sandbox. Aim: a ratio of at most 1.5.
//   node bench/copy.ts [rows] [columns] [in_place]      in_place: the target has no room for a hidden copy
import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { benchFolder } from './bench-folder.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const inPlace = process.argv[4] === 'in_place'

const Result = z.object({ seconds: z.number(), peak_mb: z.number(), said: z.string() })
const children: ChildProcess[] = []

const folder = await benchFolder()
const server = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, stop: async () => {} }
  : await startPostgres({ dataDir: folder })
try {
  await migrate({ url: server.url })
  const root = await sandbox()
  const reply = await fetch(`${root}/control/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await reply.json())
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: token })
  const api = sheets({ version: 'v4', auth, rootUrl: `${root}/`, retry: false })

  const source = await book(api, rows + 1)
  await fill(api, source)
  const env = { ROOT: root, TOKEN: token, SOURCE: source, DATABASE_URL: server.url }
  console.log(`${rows} rows x ${columns} columns`)
  const plain = await worker('plain', { ...env, TARGET: await book(api, rows + 1) })
  console.log(`plain script: ${plain.seconds.toFixed(1)} s, ${plain.peak_mb} MB. ${plain.said}`)
  // With all of its rows there already, the grid leaves no room for as many beside it.
  const target = await book(api, inPlace ? rows + 1 : 1)
  const copy = await worker('copy', { ...env, TARGET: target })
  console.log(`copy:         ${copy.seconds.toFixed(1)} s, ${copy.peak_mb} MB. ${copy.said}`)
  const again = await worker('copy', { ...env, TARGET: target })
  console.log(`copied again: ${again.seconds.toFixed(1)} s, ${again.peak_mb} MB. ${again.said}`)
  console.log(`ratio:        ${(copy.seconds / plain.seconds).toFixed(2)} (aim 1.5)`)
} finally {
  for (const child of children) child.kill()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function sandbox(): Promise<string> {
  const output = start(['sandbox/main.ts'], { SANDBOX_PORT: '0', DATA_DIR: folder })
  for await (const text of output) {
    const [, root] = /ready at (\S+)/.exec(text) ?? []
    if (root) return root
  }
  throw new Error('The sandbox did not start')
}

async function worker(role: 'plain' | 'copy', env: Record<string, string>) {
  let all = ''
  for await (const text of start(
    ['bench/copy-worker.ts', role],
    role === 'copy' ? { ...env, ...leanMemory } : env,
  ))
    all += text
  return Result.parse(JSON.parse(all))
}

function start(args: string[], env: Record<string, string>): AsyncIterable<string> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child.stdout.setEncoding('utf8')
}

async function book(api: sheets_v4.Sheets, rowCount: number): Promise<string> {
  const properties = { title: 'Table', gridProperties: { rowCount, columnCount: columns } }
  const { data } = await api.spreadsheets.create({ requestBody: { sheets: [{ properties }] } })
  return data.spreadsheetId ?? ''
}

async function fill(api: sheets_v4.Sheets, spreadsheetId: string): Promise<void> {
  const step = 5_000
  for (let first = 0; first <= rows; first += step) {
    const values = Array.from({ length: Math.min(step, rows + 1 - first) }, (_, row) => cells(first + row))
    await api.spreadsheets.values.update({
      spreadsheetId,
      range: `Table!A${first + 1}`,
      valueInputOption: 'RAW',
      requestBody: { values },
    })
  }
}

/** A catalogue's mixture: identifiers, words, prices, counts, flags, blanks. */
function cells(row: number): (string | number | boolean)[] {
  if (row === 0) return Array.from({ length: columns }, (_, column) => `Column ${column + 1}`)
  return Array.from({ length: columns }, (_, column) => {
    const n = row * 31 + column * 7
    const kinds = [`SKU-${100_000 + row}`, n / 100, `Bolt ${n % 97} mm`, n % 2 === 0, n % 5_000, '']
    return kinds[column % kinds.length] ?? ''
  })
}
