// The time that the page shows for a copy through `npm start`, against the one that bench/copy.ts measures, one right
// after the other. Aim: at most 1.3 times.
//   node bench/copy-app.ts [rows] [columns]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { RunPage, runs } from '../src/contract/runs.ts'
import { syncTasks } from '../src/contract/sync-tasks.ts'
import { syncTaskTypes } from '../src/contract/task-types.ts'
import { freePort } from '../src/server/platform/free-port.ts'
import { signIn } from '../test/person.ts'
import { benchFolder } from './bench-folder.ts'
import { catalogueRow, googleAt, withCopyBench } from './copy-bench.ts'

const rows = Number(process.argv[2] ?? 100_000)
const columns = Number(process.argv[3] ?? 20)
const EMAIL = 'ada@example.com'
const Id = z.object({ id: z.int() })

console.log(`${rows} rows x ${columns} columns, load ${loadavg()[0]?.toFixed(1)}`)
const shown = await throughStart()
console.log(`npm start:     ${shown.seconds.toFixed(1)} s on the page. ${shown.said}`)
await withCopyBench(async (bench) => {
  const source = await bench.book(rows + 1, columns)
  await bench.fill(source, rows + 1, (row) => catalogueRow(row, columns))
  const copy = await bench.worker('copy', { source, target: await bench.book(1, columns) })
  console.log(`bench/copy.ts: ${copy.seconds.toFixed(1)} s. ${copy.said}`)
  const ratio = shown.seconds / copy.seconds
  console.log(`ratio: ${ratio.toFixed(2)} (limit 1.3)${ratio > 1.3 ? ' MISSED' : ''}`)
})

async function throughStart(): Promise<{ seconds: number; said: string }> {
  const folder = await benchFolder()
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const [root, google] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandboxPort}`]
  const env = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    PUBLIC_URL: root,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
  }
  const app = spawn('npm', ['start'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(app, 'exit')
  try {
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    app.stdout
      .setEncoding('utf8')
      .on('data', (text) => String(text).includes('Rowferry is ready at') && resolve())
    await Promise.race([ready, ended.then(() => Promise.reject(new Error('npm start has ended')))])
    return await copyThere(root, google)
  } finally {
    app.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyThere(root: string, google: string): Promise<{ seconds: number; said: string }> {
  const { send } = await signIn(root, EMAIL)
  const sheets = await googleAt(google)
  const source_ss_id = await sheets.book(rows + 1, columns)
  await sheets.fill(source_ss_id, rows + 1, (row) => catalogueRow(row, columns))
  const type = await send(syncTaskTypes.create.method, syncTaskTypes.create.path, Id, { name: 'Bench' })
  const { id } = await send(syncTasks.create.method, syncTasks.create.path, Id, {
    sync_task_type_id: type.id,
    name: 'Large',
    source_ss_id,
    target_ss_id: await sheets.book(1, columns),
    target_sheet_name: 'Table',
  })
  await send('POST', syncTasks.execute.path.replace(':id', String(id)), z.unknown())
  for (;;) {
    const page = await send('GET', runs.ofSyncTask.path.replace(':id', String(id)), RunPage)
    const [run] = page.runs
    if (run?.finished_at)
      return { seconds: run.duration_seconds ?? Number.NaN, said: run.message ?? run.error ?? '' }
    await delay(500)
  }
}
