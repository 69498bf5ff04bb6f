// One process of bench/ingest-http.ts: `serve` answers a CSV file; `plain` streams it into a table by COPY as it is; `read` reads it
// and stores it as a run does. The latter print seconds and peak memory as JSON.
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { ApiSettings } from '../src/contract/connections.ts'
import { openApi } from '../src/server/connectors/http-api/source.ts'
import { createPool } from '../src/server/platform/db.ts'
import { IncomingRows } from '../src/server/run-handlers/ingest/incoming-rows.ts'
import { SnapshotWriter } from '../src/server/snapshots/snapshot-writer.ts'
import { anyUse } from '../test/origin-reading.ts'

const COLUMNS = 20
const LINES_A_PIECE = 200

const role = process.argv[2]
const rows = Number(process.argv[3])
if (role === 'serve') await serve()
else await measured(role === 'plain' ? plain : read)

async function serve(): Promise<void> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write(`${Array.from({ length: COLUMNS }, (_, n) => `column_${n + 1}`).join(',')}\n`)
    for (let row = 0; row < rows; row += LINES_A_PIECE) {
      const count = Math.min(LINES_A_PIECE, rows - row)
      const piece = Array.from({ length: count }, (_, n) => lineOf(row + n)).join('')
      if (!response.write(piece)) await once(response, 'drain')
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.int() }).parse(server.address())
  console.log(`http://127.0.0.1:${port}/file.csv`)
  process.once('SIGTERM', () => process.exit(0))
}

/** Numbers, prices, quoted text, dates and blanks, as a catalogue has them. */
function lineOf(row: number): string {
  const price = `${row % 1000}.${String(row % 100).padStart(2, '0')}`
  const four = `SKU-${row},"Product ${row}, ${row % 7} pieces",${price},2026-03-${String((row % 28) + 1).padStart(2, '0')},`
  return `${four}${four}${four}${four}warehouse ${row % 50},${row % 13},,text\n`
}

async function plain(pool: Pool, url: string): Promise<void> {
  const columns = Array.from({ length: COLUMNS }, (_, n) => `c${n + 1}`)
  const client = await pool.connect()
  await client.query('drop table if exists bench_plain')
  const fields = columns.map((name) => `${name} text`).join(', ')
  await client.query(
    `create table bench_plain (row_no bigint generated always as identity primary key, ${fields})`,
  )
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, resolve).on('error', reject)
  })
  const copy = copyFrom(`copy bench_plain (${columns.join(', ')}) from stdin with (format csv, header)`)
  await pipeline(reply, client.query(copy))
  client.release()
}

async function read(pool: Pool, url: string): Promise<void> {
  const { rows: made } = await pool.query(
    `insert into snapshots (kind, columns) values ('source', '[]') returning id`,
  )
  const writer = new SnapshotWriter(pool, z.object({ id: z.int() }).parse(made[0]).id)
  const incoming = new IncomingRows(writer, null, { title: 'the file', max_rows: 10_000_000 })
  const settings = ApiSettings.parse({ url, format: 'csv' })
  const use = anyUse({ chunk_size: 1000, max_rows: 10_000_000 })
  let isHeader = true
  for await (const batch of (await openApi({ name: 'file', settings }, use)).read().batches) {
    for (const row of batch) {
      if (!isHeader) incoming.add(row)
      isHeader = false
    }
    await writer.flushIfLarge()
  }
  await writer.close()
  if (incoming.rows !== rows) throw new Error(`${incoming.rows} rows arrived`)
}

async function measured(work: (pool: Pool, url: string) => Promise<void>): Promise<void> {
  const { FILE_URL, DATABASE_URL } = z
    .object({ FILE_URL: z.string(), DATABASE_URL: z.string() })
    .parse(process.env)
  const pool = createPool({ url: DATABASE_URL })
  const began = performance.now()
  await work(pool, FILE_URL)
  const seconds = (performance.now() - began) / 1000
  await pool.end()
  const { user, system } = process.cpuUsage()
  const peak_mb = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(JSON.stringify({ seconds, cpu_seconds: (user + system) / 1e6, peak_mb }))
  process.exit(0)
}
