import { hostname } from 'node:os'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { listenForEvents, type Notice } from '../platform/notify.ts'
import { type Admitter, startAdmitter } from './admit.ts'
import { startDelivery } from './delivery.ts'
import { DEFAULT_ZONE } from './log-entries.ts'
import { prune } from './prune.ts'
import { reconcile } from './reconcile.ts'
import { watchRefusals } from './refusals.ts'
import { repeatEvery } from './repeat-every.ts'
import { type Clock, startClock } from './schedule/clock.ts'
import type { MountStates, RunHandler } from './types.ts'
import { startWorker, type Worker } from './worker.ts'
import { registerWorker, warnUnserved } from './workers.ts'

const RECONCILE_MS = 5_000
const CLEAN_UP_MS = 60_000
const PRUNE_MS = 10 * 60_000

export type Engine = {
  /** Starts the parts that the roles require; resolves when the queue is ready. Throws if the database is unavailable. */
  start: () => Promise<void>
  /** Releases its runs and closes its connections, within 10 s. */
  stop: () => Promise<void>
}

/**
 * The engine of one process. The role `worker` executes up to `concurrency` runs at once; `scheduler` queues due
 * runs, monitors workers and cleans up; both admit runs. `api` alone starts nothing here. Any number of processes
 * with any roles may use one database.
 */
export function createEngine(options: {
  db: Db
  databaseUrl: string
  handlers: readonly RunHandler[]
  log: Logger
  roles: readonly ('api' | 'worker' | 'scheduler')[]
  concurrency: number
  /** Looks which configured folders can be opened; a worker takes no run that needs another one. Default: it takes all. */
  mounts?: () => Promise<MountStates>
  /** Periodic jobs of the scheduler; `trouble` is logged when one fails. */
  chores?: readonly { ms: number; trouble: string; work: () => Promise<unknown> }[]
  /** Time zone of the schedules. */
  zone?: string
  /** Days for which runs, log lines and schedule occurrences are kept; default 90. */
  historyDays?: number
}): Engine {
  const { roles } = options
  let running: { stop: () => Promise<void> } | null = null
  return {
    start: async () => {
      if (!running && (roles.includes('worker') || roles.includes('scheduler'))) running = await run(options)
    },
    stop: async () => {
      const ending = running
      running = null
      await ending?.stop()
    },
  }
}

async function run(options: Parameters<typeof createEngine>[0]): Promise<{ stop: () => Promise<void> }> {
  const { db, databaseUrl, handlers, mounts, log, roles, concurrency, zone = DEFAULT_ZONE } = options
  const { historyDays = limits.history_days_default } = options
  const supervise = roles.includes('scheduler')
  const name = `${hostname()}:${process.pid}`
  const boss = await startDelivery({ databaseUrl, supervise, log })
  const admitter = startAdmitter({ db, boss, log })
  const executesRuns = roles.includes('worker')
  const refusals = watchRefusals()
  const presence = executesRuns
    ? registerWorker({ db, name, handlers, mounts, log, onSeen: admitter.wake, onTrouble: refusals.note })
    : null
  const worker = presence
    ? startWorker(
        { db, boss, handlers, log, worker: name, refusals, mounts: presence.mounts },
        { concurrency, onEnded: admitter.wake },
      )
    : null
  const clock = supervise ? startClock({ db, handlers, log, zone }) : null
  const parts = { admitter, worker, clock }
  const listening = listenForEvents(databaseUrl, (notice) => react(notice, parts), {
    onGap: () => {
      admitter.wake()
      worker?.wake()
      clock?.wake()
    },
  })
  const chores = supervise
    ? [
        repeatEvery(RECONCILE_MS, log, 'Failed to recover lost runs', () => reconcile(db, boss)),
        repeatEvery(RECONCILE_MS, log, 'Failed to warn about runs without a worker', () => warnUnserved(db)),
        repeatEvery(PRUNE_MS, log, 'Failed to remove old data', () => prune(db, historyDays)),
        repeatEvery(CLEAN_UP_MS, log, 'Failed to clean up after interrupted runs', async () => {
          for (const handler of handlers) await handler.cleanUp?.(db)
        }),
        ...(options.chores ?? []).map(({ ms, trouble, work }) => repeatEvery(ms, log, trouble, work)),
      ]
    : []
  return {
    stop: async () => {
      await Promise.all([
        listening.close(),
        admitter.stop(),
        clock?.stop(),
        ...chores.map((chore) => chore.stop()),
      ])
      await presence?.stop()
      await worker?.drain()
      await boss.stop({ graceful: false })
    },
  }
}

type Parts = { admitter: Admitter; worker: Worker | null; clock: Clock | null }

function react(notice: Notice, { admitter, worker, clock }: Parts): void {
  if (notice.kind === 'jobs') worker?.wake()
  if (notice.kind === 'schedules') clock?.wake()
  // The notice may mean that a type's settings changed.
  if (notice.kind === 'tasks') admitter.wake()
  if (notice.kind === 'run') {
    if (notice.state === 'stopping') worker?.stopRun(notice.run_id)
    else if (notice.state !== 'running') admitter.wake()
  }
}
