import { type Kysely, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../platform/schema.ts'
import { pauseFor } from '../../backoff.ts'
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

const Verdict = z.object({ user_id: z.int().nullable(), wait_ms: z.number() })

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
  /** Called with a wait of some seconds, in milliseconds, since nobody should wonder why nothing moves; returns what is called when it is over. */
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
