// Pages of copied data, as the page of a task asks for them: 1,000,000 rows of 20 columns. Aims: first page p95 50 ms, deep
// page 150 ms, a page sorted by a number or by text 600 ms once its order is built, 3 s when it is first asked for; and the
// memory of the api process stays what it is.
//   node bench/data-copy.ts [rows]
import { loadavg } from 'node:os'
import { syncTasks } from '../src/contract/sync-tasks.ts'
import { createDb } from '../src/server/platform/db.ts'
import { aSyncTask } from '../test/factories.ts'
import type { Send } from '../test/person.ts'
import { cpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'
import { fillTask } from './large-table.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const TIMES = 100

const app = await startApp(0)
const db = createDb({ url: app.database_url })
try {
  const send = await app.signIn('ada@example.com')
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  const path = `/api/sync_tasks/${await aLargeTask()}/data_copy`
  const deep = Math.floor(ROWS * 0.9)

  await report('first page', 50, () => page(send, path, {}))
  await report(`page at row ${deep}`, 150, (n) => page(send, path, { offset: deep + n * 500 }))
  const before = await app.memory()
  for (const [name, column] of [
    ['number', 'Column 2'],
    ['text', 'Column 4'],
    ['number with blanks', 'Column 3'],
  ] as const) {
    const began = performance.now()
    const used = postgresSeconds()
    // Two people at once.
    const query = { sort: column }
    await Promise.all([page(send, path, query), page(send, path, query)])
    print(`order by ${name}, built for two who ask at once`, performance.now() - began, 3000)
    console.log(`  ${(postgresSeconds() - used).toFixed(1)} s of processor time, on several at once`)
    await report(`page sorted by ${name}`, 600, (n) => page(send, path, { ...query, offset: n * 500 }))
    await report(`page at row ${deep} sorted by ${name}, descending`, 600, (n) =>
      page(send, path, { ...query, order: 'desc', offset: deep + n * 500 }),
    )
  }
  await walk(send, path)
  const after = await app.memory()
  console.log(`memory of the api process: ${megabytes(before)} before, ${megabytes(after)} after`)
} finally {
  await db.destroy()
  await app.stop()
}

async function aLargeTask(): Promise<number> {
  const { id } = await aSyncTask(db)
  await fillTask(db, id, ROWS)
  return id
}

async function page(send: Send, path: string, query: Record<string, string | number>): Promise<void> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { data } = await send('GET', `${path}?${search}`, syncTasks.dataCopy.reply)
  if (data.length !== 500) throw new Error(`A page of ${data.length} rows`)
}

/** A tenth of all pages one after the other, as somebody who scrolls on and on. */
async function walk(send: Send, path: string): Promise<void> {
  for (let offset = 0; offset < ROWS; offset += 5000) await page(send, path, { offset })
}

async function report(name: string, limit: number, act: (n: number) => Promise<void>): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const began = performance.now()
    await act(n)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  print(`${name}, p95 of ${TIMES}`, times[Math.floor(TIMES * 0.95)] ?? 0, limit)
}

function print(name: string, ms: number, limit: number): void {
  console.log(`${name}: ${ms.toFixed(0)} ms (limit ${limit})${ms > limit ? ' MISSED' : ''}`)
}

function postgresSeconds(): number {
  return cpuTime().get('postgres') ?? Number.NaN
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
