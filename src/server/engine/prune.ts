import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { forgetWorkers } from './workers.ts'

// Small batches keep locks short.
const SNAPSHOTS_AT_ONCE = 10
const RUNS_AT_ONCE = 1_000

/** Removes data that is no longer needed, and history older than `historyDays`. Safe to call at any time and concurrently. */
export async function prune(db: Db, historyDays: number): Promise<void> {
  await pruneSnapshots(db)
  await pruneOrphanRows(db)
  await prunePlanRows(db)
  await pruneHistory(db, historyDays)
  await forgetWorkers(db)
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await pruneQuotaLog(db)
}

// Each removed request is added to the total of its minute by the same statement, so it is counted once.
const pruneQuotaLog = (db: Db): Promise<unknown> =>
  sql`
    with removed as (
      delete from quota_log where started_at < now() - interval '10 minutes' returning project, kind, account, started_at
    )
    insert into quota_minutes (project, minute, kind, account, requests)
    select project, date_trunc('minute', started_at), kind, account, count(*) from removed group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (project, minute, kind, account) do update set requests = quota_minutes.requests + excluded.requests`.execute(
    db,
  )

/**
 * Removes snapshots that are not a task's current version, not its image of overwritten rows, not waiting for
 * approval, not of a plan that can be applied or is kept as a version, not of a live run, and not being read. Such a snapshot never becomes current again. Its rows are removed
 * as orphans.
 */
const pruneSnapshots = (db: Db): Promise<void> =>
  repeat(
    () =>
      // After locking the row, PostgreSQL evaluates the condition again: a snapshot that was pinned meanwhile stays.
      sql`
      with unused as materialized (
        select s.id from snapshots s
        left join runs r on r.id = s.run_id
        left join tasks t on t.id = s.task_id
        where coalesce(r.state not in ('queued', 'running', 'stopping'), true)
          and s.id is distinct from t.snapshot_id and s.id is distinct from t.before_snapshot_id
          and s.id is distinct from t.waiting_snapshot_id
          and not exists (select from split_tabs b where b.snapshot_id = s.id)
          and not exists (select from plans p where p.wanted_snapshot_id = s.id and ${isKept})
          and not exists (select from plans p where p.former_snapshot_id = s.id and ${isKept})
          and s.created_at < now() - interval '1 minute' and s.pinned_until < now()
        limit ${SNAPSHOTS_AT_ONCE}
        for update of s skip locked
      )
      delete from snapshots using unused where snapshots.id = unused.id returning snapshots.id`.execute(db),
    SNAPSHOTS_AT_ONCE,
  )

const isKept = sql`(p.applied_at is not null or p.expires_at > now() - interval '1 hour')`

// The rows of a plan are of no use without their cells.
const prunePlanRows = (db: Db): Promise<unknown> =>
  sql`
    delete from plan_rows using plans p
    where plan_rows.plan_id = p.id and (p.wanted_snapshot_id is null or p.former_snapshot_id is null)`.execute(
    db,
  )

// These tables have no foreign key. The first statement skips from one snapshot id to the next in the primary key.
async function pruneOrphanRows(db: Db): Promise<void> {
  for (const table of OF_ROWS) await pruneOrphans(db, table)
}

const OF_ROWS = [
  'snapshot_rows',
  'compiled_blocks',
  'compiled_overrides',
  'compiled_disagreements',
  'compiled_disputes',
  'compiled_sets',
  'compiled_sku_texts',
  'compiled_quality',
] as const

async function pruneOrphans(db: Db, name: (typeof OF_ROWS)[number]): Promise<void> {
  const table = sql.table(name)
  const { rows } = await sql<{ id: number }>`
    with recursive present as (
      (select snapshot_id as id from ${table} order by snapshot_id limit 1)
      union all
      select (select snapshot_id from ${table} where snapshot_id > present.id order by snapshot_id limit 1)
      from present where present.id is not null
    )
    select id from present where id is not null and not ${isRead(sql`present.id`)}
  `.execute(db)
  for (const { id } of rows)
    await sql`delete from ${table} where snapshot_id = ${id} and not ${isRead(sql`${id}::int`)}`.execute(db)
}

// Used by the version with that number or by one that shares its rows.
const isRead = (id: RawBuilder<unknown>) =>
  sql`(exists (select from snapshots s where s.id = ${id}) or exists (select from snapshots s where s.rows_of = ${id}))`

// The last run and the last success that a task shows are kept, whatever their age. So is a run that has not been cleaned up yet, because
// the clean-up needs its definition.
async function pruneHistory(db: Db, historyDays: number): Promise<void> {
  await repeat(
    () =>
      sql`
      delete from runs where id in (
        select r.id from runs r
        where r.finished_at < now() - make_interval(days => ${historyDays})
          and not exists (
            select from tasks t where t.id = r.task_id and r.id in (t.last_run_id, t.last_success_run_id)
          )
          and not exists (select from staging_tabs s where s.run_id = r.id)
        limit ${RUNS_AT_ONCE}
      ) returning id`.execute(db),
    RUNS_AT_ONCE,
  )
  await sql`delete from due_moments
    where outcome is not null and due_at < now() - make_interval(days => ${historyDays})`.execute(db)
  await sql`delete from quota_minutes where minute < now() - make_interval(days => ${historyDays})`.execute(
    db,
  )
  // Index: approval_decisions_at_idx.
  await sql`delete from approval_decisions where at < now() - make_interval(days => ${historyDays})`.execute(
    db,
  )
  await sql`delete from log_entries where created_at < now() - make_interval(days => ${historyDays})`.execute(
    db,
  )
}

async function repeat(remove: () => Promise<{ rows: unknown[] }>, atOnce: number): Promise<void> {
  while ((await remove()).rows.length === atOnce);
}
