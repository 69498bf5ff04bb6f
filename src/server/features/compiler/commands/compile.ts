import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import { CompileReceipt } from '../../../../contract/runs/receipts.ts'
import type { RunHandler } from '../../../engine/types.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { startTask } from '../../../tasks/run/run-commands.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500

/** Result of a compile. `counts` is null while it is still running. */
export type Compiled = {
  run_id: number
  counts: { rows_read: number; records: number; waits?: true | undefined } | null
}

type Wanted = { config_id: number; overwrite: boolean; signal: AbortSignal }

/**
 * Compiles a configuration, or waits for the compile that is already running. Throws NamedError `compiler_task_not_found`,
 * `config_inactive`, `compile_stopped`, or `compile_failed` with the error of the run.
 */
export async function compile(
  deps: { db: Db; handlers: readonly RunHandler[] },
  actor: Actor,
  { config_id, overwrite, signal }: Wanted,
): Promise<Compiled> {
  const { db, handlers } = deps
  const config = await db
    .selectFrom('compiler_configs as c')
    .innerJoin('tasks', 'tasks.id', 'c.task_id')
    .select(['tasks.id', 'tasks.is_active'])
    .where('c.id', '=', config_id)
    .executeTakeFirst()
  if (config === undefined) throw new NamedError('compiler_task_not_found')
  if (!config.is_active) throw new NamedError('config_inactive')
  await startTask(db, handlers, { category: 'compiler', actor, definition: { overwrite } }, config.id)
  return waitFor(db, config.id, signal)
}

async function waitFor(db: Db, task_id: number, signal: AbortSignal): Promise<Compiled> {
  const { last_run_id: run_id } = await db
    .selectFrom('tasks')
    .select('last_run_id')
    .where('id', '=', task_id)
    .executeTakeFirstOrThrow()
  if (run_id === null) throw new NamedError('compiler_task_not_found')
  const deadline = performance.now() + limits.compile_wait_ms
  // Polls instead of blocking a database connection.
  for (let ms = FIRST_PAUSE_MS; performance.now() < deadline; ms = Math.min(ms * 1.5, MAX_PAUSE_MS)) {
    const run = await readEnd(db, run_id)
    if (run !== null) return { run_id, counts: run }
    await pause(ms, undefined, { signal })
  }
  return { run_id, counts: null }
}

async function readEnd(db: Db, run_id: number): Promise<Compiled['counts']> {
  const run = await db
    .selectFrom('runs')
    .select(['state', 'error', 'receipt', 'stop_asked_by', sql<string>`coalesce(message, '')`.as('message')])
    .where('id', '=', run_id)
    .executeTakeFirst()
  if (run === undefined) throw new NamedError('compiler_task_not_found')
  switch (run.state) {
    case 'queued':
    case 'running':
    case 'stopping':
      return null
    case 'success':
    case 'warning':
      return CompileReceipt.parse(run.receipt)
    case 'stopped':
      throw new NamedError('compile_stopped')
    default:
      // The retry was cancelled.
      if (run.stop_asked_by !== null) throw new NamedError('compile_stopped')
      throw new NamedError('compile_failed', { ...(run.error !== null && { message: run.error }) })
  }
}
