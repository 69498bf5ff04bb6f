import { type InsertObject, sql } from 'kysely'
import pino from 'pino'
import { createEngine, type Engine } from '../src/server/engine/engine.ts'
import type { RunContext, RunHandler, RunResult } from '../src/server/engine/types.ts'
import type { Db } from '../src/server/platform/db.ts'
import type { Database, RunState, TaskCategory } from '../src/server/platform/schema.ts'
import { cleanUpAfterEachTest } from './clean-up.ts'
import type { TestDatabase } from './database.ts'
import { startNode, type TestProcess } from './processes.ts'
import { queueRun, stopRun } from './run-requests.ts'

export const done: RunResult = { message: 'Done', receipt: null }

/** A handler of the sync category that does what `run` does. Its runs may hold the key that `keys` returns for a task. */
export const handlerOf = (
  run: (context: RunContext) => Promise<RunResult>,
  { category = 'sync', keys = {} }: { category?: TaskCategory; keys?: Record<number, string> } = {},
): RunHandler => ({
  category,
  snapshotDefinition: async (_trx, task_ids) =>
    new Map(task_ids.map((id) => [id, { definition: { task_id: id }, exclusive_key: keys[id] ?? null }])),
  run,
})

/** Handlers of sync and source tasks that do what `run` does for a task of that name. */
export const handlersByName = (
  db: () => Db,
  run: (name: string, context: RunContext) => Promise<RunResult>,
): RunHandler[] =>
  (['sync', 'source'] as const).map((category) =>
    handlerOf(
      async (context) => {
        const { name } = await db()
          .selectFrom('tasks')
          .select('name')
          .where('id', '=', context.run.task_id)
          .executeTakeFirstOrThrow()
        return run(name, context)
      },
      { category },
    ),
  )

/** Resolves when the signal is aborted, with its reason as the error. */
export const untilInterrupted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

const started = new Set<Engine>()

/** An engine, and what people ask of it. */
export type TestEngine = Pick<Engine, 'stop'> & {
  queueRun: (task_id: number) => ReturnType<typeof queueRun>
  stopRun: (task_id: number) => ReturnType<typeof stopRun>
}

/** Starts an engine of this process on the test's database, stopped after the test unless the test did it before. */
export async function startEngine(
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  handlers: RunHandler[],
  options: Partial<Pick<Parameters<typeof createEngine>[0], 'roles' | 'concurrency' | 'zone' | 'log'>> = {},
): Promise<TestEngine> {
  const log = pino({ level: process.env.ENGINE_LOG ?? 'silent' })
  const roles = ['worker', 'scheduler'] as const
  const engine = createEngine({ db, databaseUrl: url, handlers, log, roles, concurrency: 4, ...options })
  started.add(engine)
  await engine.start()
  return {
    stop: engine.stop,
    queueRun: (task_id) => queueRun(db, handlers, task_id),
    stopRun: (task_id) => stopRun(db, task_id),
  }
}

cleanUpAfterEachTest(async () => {
  await Promise.all([...started].map((engine) => engine.stop()))
  started.clear()
})

type TypeSettings = Partial<{
  name: string
  category: TaskCategory
  allowed_concurrent_tasks: number
  max_retries: number
  retry_delay_seconds: number
  queue_delay_seconds: number
  priority: number
  timeout_minutes: number
}>

/** A type with so many tasks, which are alike; returns the ids. */
export async function addTasks(
  db: Db,
  count: number,
  { name = 'Catalogue', category = 'sync', ...settings }: TypeSettings = {},
  fields: Partial<InsertObject<Database, 'tasks'>> = {},
): Promise<{ type_id: number; task_ids: number[] }> {
  const { id: type_id } = await db
    .insertInto('task_types')
    .values({ name, category, chunk_size: 1000, retry_delay_seconds: 0, ...settings })
    .returning('id')
    .executeTakeFirstOrThrow()
  const tasks = await db
    .insertInto('tasks')
    .values(
      Array.from({ length: count }, (_, index) => ({
        category,
        task_type_id: type_id,
        name: `${name} ${index + 1}`,
        sort_order: index + 1,
        ...fields,
      })),
    )
    .returning('id')
    .execute()
  return { type_id, task_ids: tasks.map(({ id }) => id) }
}

const over: RunState[] = ['stopped', 'success', 'warning', 'failed', 'error']

/** The task's last run as soon as it is in one of the states (by default: over). Dozens of tests ask at a time, so each asks less often later on. */
export async function runOf(db: Db, task_id: number, states: RunState[] = over) {
  for (let pause = 20; ; pause = Math.min(100, pause * 1.2)) {
    const run = await db
      .selectFrom('tasks')
      .innerJoin('runs', 'runs.id', 'tasks.last_run_id')
      .selectAll('runs')
      .where('tasks.id', '=', task_id)
      .executeTakeFirstOrThrow()
    if (states.includes(run.state)) return run
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** The lines of a task's log, oldest first. */
export async function logOf(db: Db, task_id: number): Promise<string[]> {
  const lines = await db
    .selectFrom('log_entries')
    .selectAll()
    .where('task_id', '=', task_id)
    .orderBy('id')
    .execute()
  return lines.map(({ level, message }) => `${level} ${message}`)
}

const prepared = new WeakMap<object, Promise<unknown>>()

/** Starts test/engine-process.ts on the database, whose table `steps` tells afterwards what it did. */
export async function engineProcess(
  database: Pick<TestDatabase, 'db' | 'url'>,
  roles: string,
  concurrency = 4,
): Promise<TestProcess> {
  const table =
    prepared.get(database) ??
    sql`create table steps (
      run_id int not null, step int not null, pid int not null, at timestamptz not null default clock_timestamp(),
      primary key (run_id, step)
    )`.execute(database.db)
  prepared.set(database, table)
  await table
  const child = startNode(['test/engine-process.ts', roles, String(concurrency)], {
    DATABASE_URL: database.url,
  })
  await child.printed(/engine started/)
  return child
}

/** Queues a run of so many steps of a tenth of a second each for the engine processes. */
export async function queueSteps(db: Db, task_id: number, steps: number): Promise<void> {
  const handler: RunHandler = {
    ...handlerOf(async () => done),
    snapshotDefinition: async () => new Map([[task_id, { definition: { steps }, exclusive_key: null }]]),
  }
  await queueRun(db, [handler], task_id)
}

/** What the engine processes did for a run, in order. */
export async function stepsOf(db: Db, run_id: number): Promise<{ step: number; pid: number }[]> {
  const { rows } = await sql<{ step: number; pid: number }>`
    select step, pid from steps where run_id = ${run_id} order by at`.execute(db)
  return rows
}

/** From now on runs of a type wait for the earlier ones of another. */
export const depend = (
  db: Db,
  task_type_id: number,
  depends_on_id: number,
  condition: 'success' | 'completion' = 'success',
) =>
  db
    .insertInto('task_type_dependencies')
    .values({ task_type_id, depends_on_id, condition, position: 1 })
    .execute()
