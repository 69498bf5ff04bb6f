import { hostname } from 'node:os'
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { MissingFolder, Outage } from '../../../contract/system/calls.ts'
import { folderStatusMessages as messages } from '../../../contract/system/server-messages.ts'
import type { MountStates } from '../../engine/types.ts'
import { countWorkers, readLackedFolders } from '../../engine/workers.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'

/**
 * Lists outages: processes that the supervisor cannot keep running, and missing workers or schedulers according to the heartbeats
 * in the database. Each category needs a worker that can run its tasks.
 */
export async function readOutages(
  db: Db,
  { categories, supervised }: { categories: readonly TaskCategory[]; supervised: readonly Outage[] },
): Promise<Outage[]> {
  const [workers, scheduler_alive] = await Promise.all([
    Promise.all(categories.map((category) => countWorkers(db, category))),
    schedulerLives(db),
  ])
  const unserved = workers.includes(0)
  const known = supervised.map((outage) =>
    outage.part === 'worker' ? { ...outage, none_left: unserved } : outage,
  )
  const silent = (part: Outage['part']): Outage => ({ part, none_left: true, reason: null, next_start: null })
  if (unserved && !known.some(({ part }) => part === 'worker')) known.push(silent('worker'))
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

/** The folders that a live worker, or this process, lacks although it or another one has them configured. */
export async function readMissingFolders(db: Db, own: MountStates): Promise<MissingFolder[]> {
  const lacking = await readLackedFolders(db, [...own.mounts, ...own.missing])
  return lacking.flatMap(({ name, workers, none_left }) => {
    const missing_on = [
      ...workers.map(messages.lacking_worker),
      ...(own.mounts.includes(name) ? [] : [messages.this_api(hostname())]),
    ]
    return missing_on.length > 0
      ? [{ name, missing_on, none_left, message: messages.folder_missing(name, missing_on, none_left) }]
      : []
  })
}
