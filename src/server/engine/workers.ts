import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { asyncCommit } from './async-commit.ts'
import { repeatEvery } from './repeat-every.ts'
import { shortTransaction } from './short-transaction.ts'
import type { MountStates, RunHandler } from './types.ts'

const BEAT_MS = 3_000
// An arbitrary advisory lock id, unique in this database.
const WARN_LOCK = 7_269_340

// A worker without a heartbeat for longer is dead or disconnected.
const LIVES = sql<boolean>`seen_at > now() - interval '15 seconds'`

/** The categories of tasks that a live worker, anywhere, executes. */
export const servedCategories = sql`(select unnest(categories) from workers where ${LIVES})`

/** True in a query over `runs r` for a run of whose category a live worker, anywhere, has all folders. */
export const hasWorkerWithMounts = sql<boolean>`exists (select from workers w
  where ${LIVES} and r.category = any (w.categories) and (w.mounts is null or r.mounts <@ w.mounts))`

/** Number of live workers for a category. */
export async function countWorkers(db: Db, category: RunHandler['category']): Promise<number> {
  const { count } = await db
    .selectFrom('workers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(LIVES)
    .where(sql<boolean>`${category} = any(categories)`)
    .executeTakeFirstOrThrow()
  return count
}

/** A folder, and the live workers that lack it. */
export type LackedFolder = {
  name: string
  /** Names of the workers; empty: none lacks it. */
  workers: string[]
  /** No live worker has it. */
  none_left: boolean
}

/**
 * The folders that live workers, or waiting runs of the last minutes, or the caller (`expected`) name, with the workers that lack them. Workers
 * that do not say what they have lack nothing.
 */
export async function readLackedFolders(db: Db, expected: readonly string[] = []): Promise<LackedFolder[]> {
  const { rows } = await sql<LackedFolder>`
    with live as (
      select name, mounts, missing_mounts from workers where ${LIVES}
    ), folder as (
      select unnest(mounts || missing_mounts) as name from live where mounts is not null
      union select unnest(${[...expected]}::text[])
      -- Index: runs_queued_idx.
      union select unnest(mounts) from runs where state = 'queued' and not_before < now() - interval '1 minute'
    )
    select folder.name, not bool_or(live.mounts is null or folder.name = any (live.mounts)) as none_left,
      coalesce(array_agg(live.name order by live.name)
        filter (where live.mounts is not null and not folder.name = any (live.mounts)), '{}') as workers
    from folder cross join live
    group by folder.name order by folder.name`.execute(db)
  return rows
}

/**
 * Publishes that a worker is alive, its categories and its folders, until `stop`, which withdraws that at once. `onSeen` is called
 * after the first time, and when a folder has come or gone. `mounts`: the folders that were published last; null: all.
 */
export function registerWorker(options: {
  db: Db
  name: string
  handlers: readonly RunHandler[]
  /** Default: this worker does not say what folders it has, and is taken to have all. */
  mounts?: (() => Promise<MountStates>) | undefined
  log: Logger
  onSeen: () => void
  /** Called when publishing fails. */
  onTrouble?: (error: unknown) => void
}): { mounts: () => readonly string[] | null; stop: () => Promise<void> } {
  const { db, name, handlers, mounts, log, onSeen, onTrouble } = options
  const id = randomUUID()
  const categories = handlers.map(({ category }) => category)
  let published: MountStates | null = null
  let seen: string | null = null
  const beating = repeatEvery(BEAT_MS, log, 'Failed to publish the worker’s heartbeat', async () => {
    published = (await mounts?.()) ?? null
    await sql`insert into workers (id, name, categories, mounts, missing_mounts)
      values (${id}, ${name}, ${categories}, ${published?.mounts ?? null}, ${published?.missing ?? []})
      on conflict (id) do update set seen_at = now(), mounts = excluded.mounts, missing_mounts = excluded.missing_mounts
      returning ${asyncCommit}`
      .execute(db)
      .catch((error: unknown) => {
        onTrouble?.(error)
        throw error
      })
    const state = JSON.stringify(published)
    if (seen !== state) onSeen()
    seen = state
  })
  return {
    mounts: () => (mounts ? (published?.mounts ?? []) : null),
    stop: async () => {
      await beating.stop()
      // Otherwise the missing heartbeat has the same effect a little later.
      await db
        .deleteFrom('workers')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'Failed to deregister the worker'))
    },
  }
}

/** Logs once, for each run without a worker for ten seconds, what it waits for. */
export const warnUnserved = (db: Db): Promise<void> =>
  shortTransaction(db, async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${WARN_LOCK}) as mine`.execute(trx)
    if (!rows[0]?.mine) return
    await sql`
      insert into log_entries (task_id, run_id, level, message)
      select waiting.task_id, waiting.id, 'WARNING', waiting.message
      from (
        select r.task_id, r.id,
          case when r.category in ${servedCategories}
            then 'No running worker has the ' || case when cardinality(r.mounts) = 1 then 'folder ' else 'folders ' end
              || array_to_string(r.mounts, ', ') || '. The run waits for one.'
            else 'No worker for ' || r.category || ' tasks is running. The run waits for one.'
          end as message
        from runs r
        where r.state = 'queued' and r.task_id is not null and r.not_before < now() - interval '10 seconds'
          and (r.category not in ${servedCategories} or (r.mounts <> '{}' and not ${hasWorkerWithMounts}))
      ) waiting
      where not exists (
        select from log_entries e
        where e.task_id = waiting.task_id and e.run_id = waiting.id and e.message = waiting.message
      )`.execute(trx)
  })

/** Removes workers that died long ago. */
export async function forgetWorkers(db: Db): Promise<void> {
  await db.deleteFrom('workers').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
