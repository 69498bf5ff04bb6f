import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/schema.ts'

export type RequestKind = 'read' | 'write'

/** Requests that may start within any window, of an account and of the whole project. */
export type QuotaLimits = { account: number; project: number; window_ms: number }

/** Google's limits per minute; a second more, because requests travel at different speeds. */
export const googleQuota: QuotaLimits = { account: 60, project: 300, window_ms: 61_000 }

/** A shorter wait is not worth a word. */
const LONG_WAIT_MS = 2_000

const Verdict = z.tuple([z.object({ account: z.string(), wait_ms: z.coerce.number() })])

type Turn = {
  project: string
  /** Whoever of them may start first makes the request; at least one. */
  accounts: readonly string[]
  kind: RequestKind
  limits: QuotaLimits
  signal: AbortSignal
  /** Told before a wait of some seconds, since nobody should wonder why nothing moves. */
  onWait?: (() => Promise<void>) | undefined
}

/**
 * Waits until one of the accounts may start one more request without passing the limits, records that, and answers
 * which; the least busy one where several may. All processes on the database share one log. Never refuses; passes on
 * the signal's reason.
 */
export async function awaitTurn(db: Kysely<Database>, turn: Turn): Promise<string> {
  for (;;) {
    turn.signal.throwIfAborted()
    const { account, wait_ms } = await takeTurn(db, turn)
    if (wait_ms <= 0) return account
    if (wait_ms > LONG_WAIT_MS) await turn.onWait?.()
    // A little more, so that those who wait for the same moment do not all ask at once.
    const pause = wait_ms + Math.random() * 50
    await sleep(pause, undefined, { signal: turn.signal }).catch(() => turn.signal.throwIfAborted())
  }
}

/** Records the start of a request and waits for nothing, or tells after how many milliseconds there may be room. */
async function takeTurn(
  db: Kysely<Database>,
  { project, accounts, kind, limits }: Turn,
): Promise<{ account: string; wait_ms: number }> {
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
        select email as account, place,
          (select count(*) from recent where account = email) as starts,
          greatest(
            (select started_at from recent order by started_at desc offset ${limits.project - 1} limit 1),
            (select started_at from recent where account = email
              order by started_at desc offset ${limits.account - 1} limit 1)
          ) as blocked_by
        from unnest(${[...accounts]}::text[]) with ordinality as allowed (email, place)
      )
      select account, coalesce(
        extract(epoch from blocked_by - clock_timestamp()) * 1000 + ${limits.window_ms}, 0
      ) as wait_ms
      from candidate order by blocked_by nulls first, starts, place limit 1`.execute(trx)
    const [verdict] = Verdict.parse(rows)
    if (verdict.wait_ms > 0) return verdict
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
