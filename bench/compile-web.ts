// Pages while a worker compiles: five sources of 200,000 rows and 20 columns to about 260,000 records. Aim: a page
// of 100 rows, and the list of source tasks, with a p99 of 100 ms.
//   node bench/compile-web.ts [skus]
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { compiler } from '../src/contract/compiler.ts'
import { createDb } from '../src/server/platform/db.ts'
import { signIn } from '../test/person.ts'
import { fillConfig, fillSources } from './compile-data.ts'
import { totalCpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'
import { startPageTimes } from './page-times.ts'

const SKUS = Number(process.argv[2] ?? 260_000)
const LIMIT_MS = 100
const ALONE_MS = 5_000

const app = await startApp(1)
const db = createDb({ url: app.database_url })
try {
  const { send, headers } = await signIn(app.root, 'ada@example.com')
  const client = new Client({ connectionString: app.database_url })
  await client.connect()
  await fillSources(client, SKUS)
  const taskId = await fillConfig(client)
  await client.query('vacuum analyze snapshot_rows')
  await client.end()
  const { id: source } = await db
    .selectFrom('tasks')
    .select('id')
    .where('category', '=', 'source')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { id: configId } = await db
    .selectFrom('compiler_configs')
    .select('id')
    .where('task_id', '=', taskId)
    .executeTakeFirstOrThrow()

  await report('alone', () => pause(ALONE_MS))
  // A second one, of which nothing has changed, is over at once.
  await report('a compile', async () => {
    // Answers when it is over, or that it goes on.
    const { run_id } = await send('POST', '/api/compiler/compile', compiler.compile.accepted, {
      config_id: configId,
    })
    for (;;) {
      const { state, finished_at } = await db
        .selectFrom('runs')
        .select(['state', 'finished_at'])
        .where('id', '=', run_id)
        .executeTakeFirstOrThrow()
      if (finished_at === null) await pause(200)
      else if (state === 'success' || state === 'warning') return
      else throw new Error(`It ended as ${state}`)
    }
  })

  async function report(name: string, act: () => Promise<unknown>): Promise<void> {
    const { cookie = '' } = headers
    const pages = {
      'page of rows': startPageTimes(`${app.root}/api/source_task_data?source_task_id=${source}`, cookie),
      'list of tasks': startPageTimes(`${app.root}/api/source_tasks`, cookie),
    }
    const [began, used] = [performance.now(), totalCpuTime()]
    await act()
    const seconds = (performance.now() - began) / 1000
    const spent = totalCpuTime() - used
    console.log(
      `${name}: ${seconds.toFixed(1)} s, ${spent.toFixed(1)} s of processor time; load ${loadavg()[0]?.toFixed(1)}`,
    )
    for (const [page, times] of Object.entries(pages)) {
      const { p99_ms } = await times.stop()
      console.log(
        `  ${page}: p99 ${p99_ms.toFixed(0)} ms (limit ${LIMIT_MS})${p99_ms > LIMIT_MS ? ' MISSED' : ''}`,
      )
    }
  }
} finally {
  await db.destroy()
  await app.stop()
}
