import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../platform/schema.ts'
import { pauseFor } from '../../backoff.ts'
import type { Account } from './tokens.ts'

export type RequestKind = 'read' | 'write'

/** Maximum number of requests that may start within any window, per account and per project. */
export type QuotaLimits = { account: number; project: number; window_ms: number }

/** Google's limits per minute. The window is a second longer, because requests take different times to arrive. */
export const googleQuota: QuotaLimits = { account: 60, project: 300, window_ms: 61_000 }

/** Sleeps. Rejects with the signal's reason. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Shorter waits are not reported. */
const LONG_WAIT_MS = 2_000

const Verdict = z.object({ user_id: z.int().nullable(), wait_ms: z.number() })

type Turn = {
  project: string
  /** Accounts to choose from; at least one. */
  accounts: readonly Account[]
  /**
   * SQL condition over `allowed (user_id, address)` left joined with `users` and `grants`: whether an account may be
   * used now.
   */
  usable: RawBuilder<boolean>
  kind: RequestKind
  limits: QuotaLimits
  signal: AbortSignal
  /** Default: a timer. */
  pause?: Pause | undefined
  /**
   * Called with waits of some seconds, in milliseconds, so that they can be displayed. Returns a function that is
   * called when the wait is over.
   */
  onWait?: ((ms: number) => Promise<() => void>) | undefined
}

/**
 * Waits until one of the accounts may start another request within the limits, records the start, and returns that
 * account; the least busy one if there are several. All processes share one log in the database. Returns null if no
 * account may be used any more; rejects with the signal's reason.
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
    // Jitter, so that waiting requests do not all retry at the same moment.
    await pause(wait_ms + Math.random() * 50, turn.signal)
    over?.()
  }
}

/** Records the start of a request if the limits allow it; otherwise returns the milliseconds until they may. */
async function takeTurn(
  db: Kysely<Database>,
  { project, accounts, usable, kind, limits }: Turn,
): Promise<z.infer<typeof Verdict> | null> {
  const { rows } = await sql`
    with usable as (
      select allowed.user_id, allowed.address, place
      from unnest(${accounts.map(({ user_id }) => user_id)}::int[], ${accounts.map(({ email }) => email)}::text[])
          with ordinality as allowed (user_id, address, place)
        left join users on users.id = allowed.user_id left join grants on grants.user_id = users.id
      where ${usable}
    )
    select turn.user_id, turn.wait_ms
    from (select array_agg(user_id order by place) as user_ids, array_agg(address order by place) as addresses from usable) u,
      take_turn(u.user_ids, u.addresses, ${project}, ${kind}, ${limits.account}, ${limits.project}, ${limits.window_ms}) turn`.execute(
    db,
  )
  const [verdict = null] = z.array(Verdict).parse(rows)
  return verdict
}

/**
 * Number of starts per account within the window, reads and writes together. Used to choose the least busy account.
 */
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
