// The sandbox's Sheets API over HTTP against JSON.stringify and JSON.parse of the same data in this process, the memory
// that a filled cell takes, and the start after kill -9. Aims: 100,000 x 20 cells read within 0.6 s, 2 MB written within
// 0.3 s, 120 bytes a cell.
//   node bench/sandbox.ts [rows]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { Books } from '../sandbox/sheets/books.ts'
import { sandboxMemory } from '../scripts/sandbox-memory.ts'

const COLUMNS = 20
const BYTES_A_WRITE = 2_000_000
const rows = Number(process.argv[2] ?? 100_000)

const data = Array.from({ length: rows }, (_, row) => productRow(row))
const text = JSON.stringify(data)
const chunk = data.slice(0, Math.floor((rows * BYTES_A_WRITE) / text.length))
const chunks = Array.from({ length: Math.ceil(rows / chunk.length) }, (_, index) => ({
  range: `Sheet1!A${index * chunk.length + 1}`,
  values: data.slice(index * chunk.length, (index + 1) * chunk.length),
}))

const folder = await mkdtemp(join(tmpdir(), 'rowferry-bench-'))
let sandbox = await start()
try {
  const properties = { title: 'Sheet1', gridProperties: { rowCount: rows, columnCount: COLUMNS } }
  const created = await call('POST', '', { sheets: [{ properties }] })
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(JSON.parse(created))
  const write = (range: object) =>
    call('POST', `/${spreadsheetId}/values:batchUpdate`, { valueInputOption: 'RAW', data: [range] })
  for (const range of chunks) await write(range)

  const reference = await best(() => JSON.stringify(JSON.parse(text)))
  const reference2MB = await best(() => JSON.stringify(JSON.parse(JSON.stringify(chunk))))
  const read = await best(() =>
    call('GET', `/${spreadsheetId}/values/Sheet1?valueRenderOption=UNFORMATTED_VALUE`),
  )
  const shown = await best(() => call('GET', `/${spreadsheetId}/values/Sheet1`))
  const [first] = chunks
  const written = await best(() => write({ ...first }))
  report(`values.get ${rows} x ${COLUMNS}, unformatted`, read, reference, 600)
  report(`values.get ${rows} x ${COLUMNS}, formatted`, shown, reference, 600)
  report(`values.batchUpdate of ${(BYTES_A_WRITE / 1e6).toFixed(0)} MB`, written, reference2MB, 300)
  console.log(`memory: ${(await bytesACell()).toFixed(0)} bytes a filled cell (aim 120)`)

  sandbox.child.kill('SIGKILL')
  await once(sandbox.child, 'exit')
  const began = performance.now()
  sandbox = await start()
  console.log(
    `start after kill -9 with ${(text.length / 1e6).toFixed(0)} MB in the journal: ${(performance.now() - began).toFixed(0)} ms`,
  )
} finally {
  sandbox.child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
}

function productRow(row: number): (string | number | boolean)[] {
  return Array.from({ length: COLUMNS }, (_, column) => {
    if (column % 4 === 0) return `SKU-${row}-${column}`
    if (column % 4 === 1) return row * 1.25 + column
    return column % 4 === 2 ? row + column : `text ${(row * 31 + column) % 99_991}`
  })
}

async function start() {
  const child = spawn(process.execPath, [...sandboxMemory, join(import.meta.dirname, '../sandbox/main.ts')], {
    env: { ...process.env, DATA_DIR: folder, SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const root = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (root === undefined) continue
    const issued = await fetch(`${root}/control/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' }),
    })
    const { access_token } = z.object({ access_token: z.string() }).parse(await issued.json())
    return { child, root, token: access_token }
  }
  throw new Error('The sandbox ended before it listened')
}

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`${sandbox.root}/v4/spreadsheets${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const reply = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${reply.slice(0, 300)}`)
  return reply
}

/** Milliseconds of the quickest of five times: other work on the machine only ever adds. */
async function best(act: () => unknown): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  for (let time = 0; time < 5; time++) {
    const began = performance.now()
    await act()
    quickest = Math.min(quickest, performance.now() - began)
  }
  return quickest
}

function report(name: string, took: number, reference: number, aim: number): void {
  const ratio = (took / reference).toFixed(2)
  console.log(
    `${name}: ${took.toFixed(0)} ms (aim ${aim}), ${ratio} x JSON.parse + JSON.stringify of the same (${reference.toFixed(0)} ms)`,
  )
}

/** Heap that a book takes for the same data. */
async function bytesACell(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().heapUsed
  const books = await Books.open(null)
  const { id } = books.create({
    title: 'Book',
    owner: 'ada@example.com',
    sheets: [{ title: 'Sheet1', rowCount: rows, columnCount: COLUMNS }],
  })
  for (const range of chunks) {
    // Parsed anew, as from a request: the book shares no text with `data`.
    books.change(
      id,
      'values.batchUpdate',
      JSON.parse(JSON.stringify({ valueInputOption: 'RAW', data: [range] })),
    )
  }
  collect()
  const bytes = process.memoryUsage().heapUsed - before
  if (books.get(id)?.sheets[0]?.get(0, 0) === null) throw new Error('The book is empty')
  return bytes / (rows * COLUMNS)
}
