// Load test of a whole installation. First measures each target separately: 2,000 authenticated reads per second with p99 25 ms; a list
// of 400 tasks 150 times per second with p99 250 ms; each also with one caller, and the CPU time per reply. Then, for the given number
// of minutes, requests lists, logs, copied data and 200 event streams while ten copies, three source tasks and a compile run
// repeatedly. Every minute it prints replies, response times and the memory of each process, which should not grow. 0 minutes skips
// the second part.
//   node bench/load.ts [minutes]
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { compiler } from '../src/contract/compiler/calls.ts'
import { pipeline } from '../src/contract/pipeline/calls.ts'
import { sourceTasks } from '../src/contract/source-tasks/calls.ts'
import { unifiedTaskTypes } from '../src/contract/task-types/calls.ts'
import { createDb } from '../src/server/platform/db.ts'
import { type Person, type Send, signIn } from '../test/fixtures/person.ts'
import { addCopies, operators, runAll } from './copies.ts'
import { cpuTime, memory } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'
import { addTasks } from './web-tasks.ts'

const MINUTES = Number(process.argv[2] ?? 2)
const [LISTED, COPIES, SOURCES, STREAMS, READERS] = [400, 10, 3, 200, 8]
const [ROWS, COLUMNS] = [5_000, 20]
const STREAMS_EACH = 20
const FLOOR_SECONDS = 10
const Id = z.object({ id: z.int() })
const Load = z.object({ per_second: z.number(), p99_ms: z.number() })

const app = await startApp(2)
const db = createDb({ url: app.database_url, max: 3 })
const over = new AbortController()
try {
  const people = await Promise.all(operators(STREAMS / STREAMS_EACH).map((email) => signIn(app.root, email)))
  await addTasks(db, 1, LISTED)
  // These tasks are only listed, not run.
  await sql`update tasks set is_active = false`.execute(db)
  for (const callers of [READERS, 1]) {
    await floor('reads by people who are signed in', '/auth/check', { people, callers, rate: 2_000, ms: 25 })
    const list = `/api/sync_tasks?limit=${LISTED}`
    await floor(`lists of ${LISTED} tasks`, list, { people, callers, rate: 150, ms: 250 })
    const compressed = { people, callers, rate: 150, ms: 250, accept: 'gzip' }
    await floor('… compressed, as browsers ask for them', list, compressed)
  }
  if (MINUTES > 0) await mixture(people)
} finally {
  over.abort()
  await db.destroy()
  await app.stop()
}

async function mixture(people: Person[]): Promise<void> {
  const copies = { tasks: COPIES, rows: ROWS, columns: COLUMNS, emails: operators(5), at_a_time: COPIES }
  const send = await addCopies(app, copies)
  await addCompile(send)
  await runAll(send)
  const { rows } = await sql<{
    id: number
  }>`select id from tasks where category = 'sync' and is_active`.execute(db)
  const task_ids = rows.map(({ id }) => id)
  const streams = people.flatMap((person) => Array.from({ length: STREAMS_EACH }, () => follow(person)))
  const work = runAgain(send)
  const times = new Map<string, number[]>()
  const readers = Array.from({ length: READERS }, (_, n) => read(people[n % people.length], task_ids, times))
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await delay(60_000)
    await say(minute, times)
  }
  over.abort()
  const events = (await Promise.all(streams)).reduce((sum, count) => sum + count, 0)
  await Promise.all(readers)
  console.log(`${STREAMS} streams got ${events} events; the pipeline ran ${await work} times`)
}

/** Target for a number of concurrent callers: replies per second, and the 99th percentile in milliseconds. */
type Floor = { people: Person[]; callers: number; rate: number; ms: number; accept?: string }

async function floor(
  name: string,
  path: string,
  { people: [person], callers, rate, ms, accept }: Floor,
): Promise<void> {
  const program = join(import.meta.dirname, 'http-load.ts')
  const args = [
    program,
    app.root + path,
    person?.headers.cookie ?? '',
    String(FLOOR_SECONDS),
    String(callers),
    '0',
    ...(accept === undefined ? [] : [accept]),
  ]
  const before = cpuTime()
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { per_second, p99_ms } = Load.parse(JSON.parse(stdout))
  const after = cpuTime()
  const cost = (program: string) => {
    const seconds = (after.get(program) ?? 0) - (before.get(program) ?? 0)
    return ((seconds * 1_000) / (per_second * FLOOR_SECONDS)).toFixed(2)
  }
  const missed = per_second < rate || p99_ms > ms
  console.log(
    `${name}, ${callers} at a time: ${per_second.toFixed(0)}/s (floor ${rate}), p99 ${p99_ms.toFixed(0)} ms (${ms})${missed ? ' MISSED' : ''}; of the processors ${cost('rowferry api')} ms in the api and ${cost('postgres')} ms in the database each; load ${loadavg()[0]?.toFixed(1)}`,
  )
}

/** Adds source tasks on the sheets that the copies read, and a compile of them. */
async function addCompile(send: Send): Promise<void> {
  const add = async (call: { method: string; path: string }, body: object) =>
    (await send(call.method, call.path, Id, body)).id
  const { rows } = await sql<{ source_ss_id: string }>`
    select source_ss_id from sync_tasks join tasks on id = task_id where is_active limit 1`.execute(db)
  const source_task_ids: number[] = []
  for (let n = 0; n < SOURCES; n += 1)
    source_task_ids.push(
      await add(sourceTasks.create, {
        name: `Source ${n + 1}`,
        source_type: 'sheet',
        spreadsheet_id: rows[0]?.source_ss_id,
        sheet_name: 'Table',
        chunk_size: 1_000,
      }),
    )
  const config = await add(compiler.createConfig, {
    name: 'Merged',
    source_task_ids,
    master_source_id: source_task_ids[0],
  })
  await add(unifiedTaskTypes.create, {
    name: 'Compile',
    task_category: 'compiler',
    compiler_config_id: config,
  })
}

/** Restarts all runs whenever they have ended; returns the number of rounds. */
async function runAgain(send: Send): Promise<number> {
  let rounds = 0
  while (!over.signal.aborted) {
    await send(pipeline.run.method, pipeline.run.path, pipeline.run.reply)
    rounds += 1
    const live = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from runs where state in ('queued', 'running', 'stopping')`.execute(db)
      return rows[0]?.n ?? 0
    }
    while (!over.signal.aborted && (await live()) > 0) await delay(500)
  }
  return rounds
}

/** Counts the events of a stream until the load ends. */
async function follow({ headers }: Person): Promise<number> {
  let events = 0
  try {
    const reply = await fetch(`${app.root}/api/events`, { headers, signal: over.signal })
    for await (const bytes of reply.body ?? [])
      events += Buffer.from(bytes).toString().split('\n\n').length - 1
  } catch (error) {
    if (!over.signal.aborted) throw error
  }
  return events
}

/** Requests one page after another without pauses, like an impatient user. */
async function read(
  person: Person | undefined,
  task_ids: readonly number[],
  times: Map<string, number[]>,
): Promise<void> {
  for (let turn = 0; !over.signal.aborted; turn += 1) {
    const id = task_ids[turn % task_ids.length]
    const looks = {
      session: '/auth/check',
      list: `/api/sync_tasks?limit=${LISTED}`,
      log: `/api/sync_tasks/${id}/logs`,
      data: `/api/sync_tasks/${id}/data_copy?limit=100`,
      home: '/api/pipeline',
    }
    for (const [name, path] of Object.entries(looks)) {
      const began = performance.now()
      const reply = await fetch(app.root + path, { headers: person?.headers ?? {} })
      await reply.arrayBuffer()
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
      const known = times.get(name) ?? []
      known.push(performance.now() - began)
      times.set(name, known)
    }
  }
}

async function say(minute: number, times: Map<string, number[]>): Promise<void> {
  const answers = [...times].map(([name, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    return `${name} ${all.length} (p99 ${sorted[Math.floor(all.length * 0.99)]?.toFixed(0)} ms)`
  })
  times.clear()
  const megabytes = [...memory()]
    .filter(([name]) => name.startsWith('rowferry'))
    .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(0)} MB`)
  console.log(
    `minute ${minute}: ${answers.join(', ')}; ${megabytes.join(', ')}; load ${loadavg()[0]?.toFixed(1)}`,
  )
}
