import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Outage } from '../../../contract/system.ts'
import { countWorkers } from '../../engine/workers.ts'
import type { Db } from '../../platform/db.ts'

/**
 * What is down: what the supervisor of this process cannot keep up, and workers and schedulers of which none lives
 * anywhere, by the database.
 */
export async function readOutages(db: Db, supervised: readonly Outage[]): Promise<Outage[]> {
  const [workers, scheduler_alive] = await Promise.all([countWorkers(db, 'sync'), schedulerLives(db)])
  const known = supervised.map((outage) =>
    outage.part === 'worker' ? { ...outage, none_left: workers === 0 } : outage,
  )
  const silent = (part: Outage['part']): Outage => ({ part, none_left: true, reason: null, next_start: null })
  if (workers === 0 && !known.some(({ part }) => part === 'worker')) known.push(silent('worker'))
  if (!scheduler_alive) known.push(silent('scheduler'))
  return known
}

async function schedulerLives(db: Db): Promise<boolean> {
  const { alive } = await db
    .selectFrom('schedule_clock')
    .select(
      sql<boolean>`looked_at > now() - make_interval(secs => ${limits.heartbeat_fresh_seconds})`.as('alive'),
    )
    .executeTakeFirstOrThrow()
  return alive
}
