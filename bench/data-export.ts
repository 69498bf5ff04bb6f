// What is streamed to whoever asks for all of it: the current rows of a source task as CSV, compiled records as CSV and as JSON;
// 1,000,000 of 20 columns each. Aims: the memory of the api process does not grow with the rows, nor with a reader who pauses: in
// the second half it is what it was in the first, within 20 %. Pages of others come with a p99 of 100 ms meanwhile.
//   node bench/data-export.ts [rows]
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createDb } from '../src/server/platform/db.ts'
import { aSourceTask } from '../test/factories.ts'
import { signIn } from '../test/person.ts'
import { aCompiledConfig } from './compiled-config.ts'
import { totalCpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'
import { fillTask } from './large-table.ts'
import { startPageTimes } from './page-times.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const GROWTH = 1.2
const LIMIT_MS = 100
const PAUSE_MS = 10_000

const app = await startApp(0)
const db = createDb({ url: app.database_url })
try {
  const { headers } = await signIn(app.root, 'ada@example.com')
  const { cookie = '' } = headers
  const { id } = await aSourceTask(db)
  await fillTask(db, id, ROWS)
  const compiled = (await aCompiledConfig(db, ROWS)).id
  const page = `${app.root}/api/source_task_data?source_task_id=${id}`
  console.log(`${ROWS} rows; memory of the api process: ${megabytes(await app.memory())}`)
  for (const path of [
    `source_tasks/${id}/export_csv`,
    `compiler/export?compiler_config_id=${compiled}`,
    `compiler/data?limit=999999&compiler_config_id=${compiled}`,
  ])
    await measure(path)

  async function measure(path: string): Promise<void> {
    const most = { first: 0, second: 0 }
    let half: keyof typeof most = 'first'
    const pages = startPageTimes(page, cookie)
    const over = new AbortController()
    const watching = watch()
    const [began, used] = [performance.now(), totalCpuTime()]
    const bytes = await taken()
    const seconds = (performance.now() - began - PAUSE_MS) / 1000
    over.abort()
    await watching
    const { p99_ms } = await pages.stop()
    console.log(
      `${path}: ${megabytes(bytes)} in ${seconds.toFixed(1)} s beside the pause, ${(totalCpuTime() - used).toFixed(1)} s of processor ` +
        `time; load ${loadavg()[0]?.toFixed(1)}\n` +
        `  memory at most ${megabytes(most.first)} in the first half and ${megabytes(most.second)} in the second${most.second > GROWTH * most.first ? ' MISSED' : ''}; ` +
        `a page of 100 rows meanwhile: p99 ${p99_ms.toFixed(0)} ms (limit ${LIMIT_MS})${p99_ms > LIMIT_MS ? ' MISSED' : ''}`,
    )

    /** Reads it all, with one pause in which nothing is taken. Returns its bytes. */
    async function taken(): Promise<number> {
      const reply = await fetch(`${app.root}/api/${path}`, { headers })
      if (!reply.ok || reply.body === null) throw new Error(`${reply.status} ${await reply.text()}`)
      let bytes = 0
      for await (const piece of reply.body) {
        bytes += piece.length
        // A row has more than 200 bytes.
        if (half === 'second' || bytes < ROWS * 100) continue
        await pause(PAUSE_MS)
        half = 'second'
      }
      return bytes
    }

    async function watch(): Promise<void> {
      while (!over.signal.aborted) {
        most[half] = Math.max(most[half], await app.memory())
        await pause(200)
      }
    }
  }
} finally {
  await db.destroy()
  await app.stop()
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
