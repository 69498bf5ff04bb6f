import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/schema.ts'
import { pauseFor } from '../backoff.ts'
import type { Account } from './tokens.ts'

export type RequestKind = 'read' | 'write'

/** Requests that may start within any window, of an account and of the whole project. */
export type QuotaLimits = { account: number; project: number; window_ms: number }

/** Google's limits per minute; a second more, because requests travel at different speeds. */
export const googleQuota: QuotaLimits = { account: 60, project: 300, window_ms: 61_000 }

/** Lets so many milliseconds pass; passes on the signal's reason. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** A shorter wait is not worth a word. */
const LONG_WAIT_MS = 2_000

const Verdict = z.object({ user_id: z.int().nullable(), account: z.string(), wait_ms: z.coerce.number() })

type Turn = {
  project: string
  /** Whoever of them may start first makes the request; at least one. */
  accounts: readonly Account[]
  /** In a query over `allowed (user_id, address)` left joined with `users` and `grants`: those of the accounts that may be used at this moment. */
  usable: RawBuilder<boolean>
  kind: RequestKind
  limits: QuotaLimits
  signal: AbortSignal
  /** Default: as time passes on this machine. */
  pause?: Pause | undefined
  /** Told of a wait of some seconds, in milliseconds, since nobody should wonder why nothing moves; returns what is called when it is over. */
  onWait?: ((ms: number) => Promise<() => void>) | undefined
}

/**
 * Waits until one of the accounts may start one more request without passing the limits, records that, and answers
 * whose it is; the least busy one where several may. All processes on the database share one log. Null once none of
 * them is usable any more; passes on the signal's reason.
 */
export async function acquireQuota(
  db: Kysely<Database>,
  { pause = pauseFor, ...turn }: Turn,
): Promise<Pick<Account, 'user_id'> | null> {
  for (;;) {
    turn.signal.throwIfAborted()
    const verdict = await takeTurn(db, turn)
    if (verdict === null || verdict.wait_ms <= 0) return verdict
    const { wait_ms } = verdict
    const over = wait_ms > LONG_WAIT_MS ? await turn.onWait?.(wait_ms) : undefined
    // A little more, so that those who wait for the same moment do not all ask at once.
    await pause(wait_ms + Math.random() * 50, turn.signal)
    over?.()
  }
}

/** Records the start of a request and waits for nothing, or tells after how many milliseconds there may be room. */
async function takeTurn(
  db: Kysely<Database>,
  { project, accounts, usable, kind, limits }: Turn,
): Promise<z.infer<typeof Verdict> | null> {
  return db.transaction().execute(async (trx) => {
    // One at a time per project and kind: counting and recording must not interleave.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${kind} ${project}`}, 0))`.execute(trx)
    // The n-th latest start decides: there is room once it has left the window. Served by quota_log_idx.
    const { rows } = await sql`
      with recent as (
        select account, started_at from quota_log
        where project = ${project} and kind = ${kind}
          and started_at > clock_timestamp() - ${limits.window_ms} * interval '1 millisecond'
      ), candidate as (
        select allowed.user_id, allowed.address as account, place,
          (select count(*) from recent where account = allowed.address) as starts,
          greatest(
            (select started_at from recent order by started_at desc offset ${limits.project - 1} limit 1),
            (select started_at from recent where account = allowed.address
              order by started_at desc offset ${limits.account - 1} limit 1)
          ) as blocked_by
        from unnest(${accounts.map(({ user_id }) => user_id)}::int[], ${accounts.map(({ email }) => email)}::text[])
            with ordinality as allowed (user_id, address, place)
          left join users on users.id = allowed.user_id left join grants on grants.user_id = users.id
        where ${usable}
      )
      select user_id, account, coalesce(
        extract(epoch from blocked_by - clock_timestamp()) * 1000 + ${limits.window_ms}, 0
      ) as wait_ms
      from candidate order by blocked_by nulls first, starts, place limit 1`.execute(trx)
    const [verdict = null] = z.array(Verdict).parse(rows)
    if (verdict === null || verdict.wait_ms > 0) return verdict
    await trx
      .insertInto('quota_log')
      .values({ project, account: verdict.account, kind, started_at: sql<Date>`clock_timestamp()` })
      .execute()
    return verdict
  })
}

/** Starts of each account within the window, reads and writes together: what the choice of an account goes by. */
export async function recentStarts(
  db: Kysely<Database>,
  project: string,
  windowMs: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('quota_log')
    .select(['account', (eb) => eb.fn.countAll<string>().as('starts')])
    .where('project', '=', project)
    .where('started_at', '>', sql<Date>`clock_timestamp() - ${windowMs} * interval '1 millisecond'`)
    .groupBy('account')
    .execute()
  return new Map(rows.map(({ account, starts }) => [account, Number(starts)]))
}
