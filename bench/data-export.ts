// The current rows of a source task as CSV, streamed: 1,000,000 rows of 20 columns. Aim: the memory of the api process does not
// grow with the rows, nor with a reader who pauses: in the second half it is what it was in the first, within 20 %. Pages of
// others stay quick meanwhile.
//   node bench/data-export.ts [rows]
import { setTimeout as pause } from 'node:timers/promises'
import { createDb } from '../src/server/platform/db.ts'
import { aSourceTask } from '../test/factories.ts'
import { signIn } from '../test/person.ts'
import { startApp } from './fleet-app.ts'
import { fillTask } from './large-table.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const GROWTH = 1.2
const PAUSE_MS = 10_000

const app = await startApp(0)
const db = createDb({ url: app.database_url })
try {
  const { headers } = await signIn(app.root, 'ada@example.com')
  const { id } = await aSourceTask(db)
  await fillTask(db, id, ROWS)
  const before = await app.memory()
  const most = { first: 0, second: 0 }
  let half: keyof typeof most = 'first'
  const pages: number[] = []
  const over = new AbortController()
  const watching = watch()

  const began = performance.now()
  const { rows, bytes } = await exported()
  const seconds = (performance.now() - began) / 1000 - PAUSE_MS / 1000
  over.abort()
  await watching
  if (rows !== ROWS + 1) throw new Error(`${rows} lines`)
  console.log(
    `${ROWS} rows, ${megabytes(bytes)}: ${seconds.toFixed(1)} s beside the pause, ${Math.round(ROWS / seconds)} rows/s`,
  )
  console.log(
    `memory of the api process: ${megabytes(before)} before, at most ${megabytes(most.first)} in the first half and ${megabytes(most.second)} in the second${most.second > GROWTH * most.first ? ' MISSED' : ''}`,
  )
  pages.sort((a, b) => a - b)
  console.log(`a page of 100 rows meanwhile, p95: ${pages[Math.floor(pages.length * 0.95)]?.toFixed(0)} ms`)

  /** Reads it all, with one pause in which nothing is taken. */
  async function exported(): Promise<{ rows: number; bytes: number }> {
    const reply = await fetch(`${app.root}/api/source_tasks/${id}/export_csv`, { headers })
    if (!reply.ok || reply.body === null) throw new Error(`${reply.status} ${await reply.text()}`)
    let rows = 0
    let bytes = 0
    let paused = false
    for await (const piece of reply.body) {
      bytes += piece.length
      for (const byte of piece) if (byte === 0x0a) rows += 1
      if (paused || rows < ROWS / 2) continue
      paused = true
      await pause(PAUSE_MS)
      half = 'second'
    }
    return { rows, bytes }
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      const asked = performance.now()
      const reply = await fetch(`${app.root}/api/source_task_data?source_task_id=${id}`, { headers })
      await reply.arrayBuffer()
      pages.push(performance.now() - asked)
      const memory = await app.memory()
      most[half] = Math.max(most[half], memory)
      await pause(200)
    }
  }
} finally {
  await db.destroy()
  await app.stop()
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
