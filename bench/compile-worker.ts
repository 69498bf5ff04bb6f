// The process that bench/compile.ts measures: compiles a configuration as a run does.
//   node bench/compile-worker.ts application_url task_id folder
import { readFileSync } from 'node:fs'
import type { RunContext } from '../src/server/engine/types.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { createCompileHandler } from '../src/server/run-handlers/compile/handler.ts'
import { aRun } from '../test/fixtures/factories.ts'

const [url = '', task = '', folder = ''] = process.argv.slice(2)
const taskId = Number(task)
const db = createDb({ url })
const pool = createPool({ url, max: 2 })
const compileHandler = createCompileHandler({ pool, folder, zone: 'UTC' })
try {
  const { definition } = await db.transaction().execute(async (trx) => {
    const defined = (await compileHandler.snapshotDefinition(trx, [taskId])).get(taskId)
    if (defined === undefined) throw new Error(`There is no task ${taskId}.`)
    return defined
  })
  const run = await aRun(db, taskId, { category: 'compiler' })
  const began = performance.now()
  const result = await compileHandler.run(contextOf(run.id, definition))
  const { commit } = result
  if (commit) await db.transaction().execute(commit)
  const seconds = (performance.now() - began) / 1000
  // The next run is queued only after this one has ended.
  await db.updateTable('runs').set({ state: 'success' }).where('id', '=', run.id).execute()
  const { snapshot_id } = await db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  // getrusage starts with the parent's peak, so read the peak of this process from /proc.
  const [, peak] = readFileSync('/proc/self/status', 'utf8').split('VmHWM:')
  const peakMb = Math.round(Number.parseInt(peak ?? '', 10) / 1024)
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ seconds, snapshot_id, peak_mb: peakMb, cpu: (user + system) / 1e6 }))
} finally {
  await Promise.all([db.destroy(), pool.end()])
}

/** Run context of the engine, without a lease. */
function contextOf(id: number, definition: unknown): RunContext {
  return {
    run: { id, task_id: taskId, definition, checkpoint: null },
    db,
    signal: new AbortController().signal,
    assertLease: async () => {},
    transaction: (work) => db.transaction().execute(work),
    progress: async () => {},
    checkpoint: async () => {},
    log: async () => {},
    warn: async () => {},
    wait: () => () => {},
    lockKey: async () => {},
  }
}
