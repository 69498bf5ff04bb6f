import { setTimeout as delay } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { queueOf } from '../platform/queue-name.ts'
import type { Lease } from './delivery.ts'
import type { RefusalWatch } from './refusals.ts'
import type { Interrupter } from './run-context.ts'

// pg-boss delivers a job to another worker after 10 s without a heartbeat.
const EVERY_MS = 3_000
const LIFE_MS = 9_000

// pg-boss returns this but does not declare it in its types.
const Touched = z.object({ settled: z.array(z.string()) })

export type TrackedLease = { lease: Lease; interrupter: Interrupter; touched_at: number }

/**
 * Sends heartbeats for a worker's leases until the signal is aborted. Interrupts runs whose lease is lost or could
 * not be renewed, and runs that were asked to stop in case that notice was lost.
 */
export async function sendHeartbeats(
  { boss, db, log, refusals }: { boss: PgBoss; db: Db; log: Logger; refusals: RefusalWatch },
  leases: ReadonlyMap<string, TrackedLease>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(EVERY_MS, undefined, { signal }).catch(() => {})
    const mine = [...leases.values()]
    if (signal.aborted || mine.length === 0) continue
    try {
      await Promise.race([beat(boss, db, mine), timeLimit(EVERY_MS)])
    } catch (error) {
      log.warn({ err: refusals.note(error) }, 'Failed to send heartbeats')
    }
    for (const { touched_at, interrupter } of mine)
      if (performance.now() - touched_at > LIFE_MS) interrupter.interrupt('lease_lost')
  }
}

async function beat(boss: PgBoss, db: Db, mine: readonly TrackedLease[]): Promise<void> {
  const sent_at = performance.now()
  const alive = new Set<string>()
  for (const [category, some] of Map.groupBy(mine, ({ lease }) => lease.category)) {
    const jobs = some.map(({ lease }) => ({ id: lease.job_id, retryCount: lease.job_retry }))
    for (const id of Touched.parse(await boss.touch(queueOf(category), jobs)).settled) alive.add(id)
  }
  for (const one of mine) {
    if (alive.has(one.lease.job_id)) one.touched_at = sent_at
    else one.interrupter.interrupt('lease_lost')
  }
  const stopping = await db
    .selectFrom('runs')
    .select('id')
    .where('state', '=', 'stopping')
    .where(
      'id',
      'in',
      mine.map(({ lease }) => lease.run_id),
    )
    .execute()
  const ids = new Set(stopping.map(({ id }) => id))
  for (const { lease, interrupter } of mine) if (ids.has(lease.run_id)) interrupter.interrupt('stop')
}

async function timeLimit(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false })
  throw new Error(`No answer within ${ms} ms`)
}
