// Compares no-op runs per second end to end (queued, admitted, delivered, executed, ended, logged) to plain pg-boss jobs (sent, fetched,
// completed one by one) on the same server. Aim: a ratio of at least 0.5. Both alternate and the medians are compared, because other
// load on the machine may affect single rounds.
//   node bench/engine.ts [runs per round]        DATABASE_URL: server to use instead of an embedded one
import { rm } from 'node:fs/promises'
import { PgBoss } from 'pg-boss'
import pino from 'pino'
import { createEngine } from '../src/server/engine/engine.ts'
import type { RunHandler } from '../src/server/engine/types.ts'
import { createDb } from '../src/server/platform/db.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { queueRun } from '../test/fixtures/run-requests.ts'
import { benchFolder } from './bench-folder.ts'
import { report } from './figures.ts'

const LOOPS = 10
const TURNS = 5
const runs = Number(process.argv[2] ?? 1000)

const folder = await benchFolder()
const server = process.env.DATABASE_URL
  ? { url: process.env.DATABASE_URL, destroy: async () => {} }
  : await startPostgres({ dataDir: folder })
try {
  await migrate({ url: server.url })
  const turns: { bare: number; engine: number }[] = []
  for (let turn = 0; turn < TURNS; turn += 1)
    turns.push({ bare: await barePgBoss(server.url), engine: await ourEngine(server.url, turn) })
  const bare = median(turns.map((turn) => turn.bare))
  const engine = median(turns.map((turn) => turn.engine))
  console.log(`pg-boss, one by one: ${bare.toFixed(0)} jobs/s`)
  console.log(`engine, end to end:  ${engine.toFixed(0)} runs/s`)
  report({ what: 'runs for each job of pg-boss alone', value: engine / bare, floor: 0.5 })
} finally {
  await server.destroy()
  await rm(folder, { recursive: true, force: true })
}

function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
}

/** Jobs per second. */
async function barePgBoss(url: string): Promise<number> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'bare',
    max: LOOPS * 2,
    supervise: false,
    schedule: false,
  })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  await boss.createQueue('bare')
  const began = performance.now()
  let sent = 0
  let completed = 0
  const send = async () => {
    while (sent < runs) {
      sent += 1
      await boss.send('bare', { n: sent })
    }
  }
  const work = async () => {
    while (completed < runs) {
      const [job] = await boss.fetch('bare')
      if (!job) continue
      await boss.complete('bare', job)
      completed += 1
    }
  }
  await Promise.all(Array.from({ length: LOOPS }, () => [send(), work()]).flat())
  const seconds = (performance.now() - began) / 1000
  await boss.stop({ graceful: false })
  return runs / seconds
}

/** Runs per second. */
async function ourEngine(url: string, turn: number): Promise<number> {
  const db = createDb({ url, max: LOOPS * 2 })
  const handler: RunHandler = {
    category: 'sync',
    snapshotDefinition: async (_trx, task_ids) =>
      new Map(task_ids.map((id) => [id, { definition: {}, exclusive_key: null }])),
    run: async () => ({ message: 'Done', receipt: null }),
  }
  const type = await db
    .insertInto('task_types')
    .values({
      category: 'sync',
      name: `Turn ${turn}`,
      chunk_size: 1000,
      allowed_concurrent_tasks: LOOPS * 10,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const tasks = await db
    .insertInto('tasks')
    .values(
      Array.from({ length: runs }, (_, index) => ({
        category: 'sync' as const,
        task_type_id: type.id,
        name: `Task ${index}`,
        sort_order: index,
      })),
    )
    .returning('id')
    .execute()
  const engine = createEngine({
    db,
    databaseUrl: url,
    handlers: [handler],
    log: pino({ level: 'warn' }),
    roles: ['api', 'worker', 'scheduler'],
    concurrency: LOOPS,
  })
  await engine.start()
  const began = performance.now()
  const waiting = tasks.map(({ id }) => id)
  const queue = async () => {
    for (let task_id = waiting.pop(); task_id !== undefined; task_id = waiting.pop())
      await queueRun(db, [handler], task_id)
  }
  await Promise.all(Array.from({ length: LOOPS }, queue))
  for (;;) {
    const live = await db
      .selectFrom('runs')
      .select('id')
      .where('state', 'in', ['queued', 'running', 'stopping'])
      .limit(1)
      .executeTakeFirst()
    if (!live) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const seconds = (performance.now() - began) / 1000
  await engine.stop()
  await db.destroy()
  return runs / seconds
}
