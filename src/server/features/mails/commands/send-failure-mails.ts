import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { Logger } from '../../../platform/log.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { readFailedRuns } from '../queries.ts'
import { writeMail } from './write-mail.ts'

type Deps = {
  db: Db
  send: SendMail
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Recipients of all failure mails. */
  alerts: readonly string[]
  publicUrl: string
  zone: string
  /** Seconds during which failures are collected into one mail. Default: 60. */
  gather_seconds?: number
}

/** Maximum delivery attempts of one mail. The delay doubles up to one hour, about eight hours in total. */
const MAX_ATTEMPTS = 14
/** Older failures are not mailed, for example when mails are enabled for the first time. */
const NEWS_SECONDS = 3_600
const RUNS_AT_ONCE = 1_000

/**
 * Mails failed runs to the accounts of their tasks and to `alerts`, each run once per recipient. Several processes may call it at
 * the same time. A failed delivery is retried; if the process dies during delivery, a mail may be sent twice.
 */
export async function sendFailureMails(deps: Deps): Promise<void> {
  await enqueueFailureMails(deps)
  while (await sendNextMail(deps));
}

/** Enqueues mails for new failures once the oldest one is `gather_seconds` old. */
async function enqueueFailureMails({ db, alerts, gather_seconds = 60 }: Deps): Promise<void> {
  // Index: runs_untold_idx. Runs whose retry was cancelled by a user are excluded.
  await sql`
    with untold as (
      select r.id, r.task_id, r.finished_at from runs r
      where r.state in ('failed', 'error') and r.mailed_at is null and not r.is_preview
        and r.finished_at > now() - make_interval(secs => ${NEWS_SECONDS})
        and not exists (select from run_mails m where m.run_id = r.id)
    )
    insert into run_mails (run_id, recipient, due_at)
    select distinct u.id, lower(person.email), now()
    from untold u
    join tasks t on t.id = u.task_id and t.stopped_run_id is distinct from u.id
    cross join lateral (
      select unnest(t.relevant_user_accounts) as email
      union select email from users where users.id = t.account_user_id and users.disabled_at is null
      union select unnest(${[...alerts]}::text[])
    ) person
    -- Disabled users and service accounts get no mail.
    where not exists (select from users where lower(email) = lower(person.email) and disabled_at is not null)
      and person.email not like '%.gserviceaccount.com'
      and exists (select from untold where finished_at <= now() - make_interval(secs => ${gather_seconds}))
    on conflict do nothing`.execute(db)
}

/** Sends one due mail. Returns false if none is due. */
async function sendNextMail(deps: Deps): Promise<boolean> {
  const { db, send, log, publicUrl, zone } = deps
  // Claims the mail by moving its due time forward, so that another process retries it if this one dies.
  const { rows: taken } = await sql<{ run_id: number; recipient: string; attempts: number }>`
    with next as materialized (
      select recipient from run_mails where due_at <= now() order by due_at limit 1 for update skip locked
    ), taken as materialized (
      select run_id, recipient from run_mails join next using (recipient)
      where due_at <= now() order by run_id limit ${RUNS_AT_ONCE}
    )
    update run_mails m set attempts = attempts + 1,
      due_at = now() + make_interval(mins => least(60, power(2, attempts))::int)
    from taken where m.run_id = taken.run_id and m.recipient = taken.recipient and m.due_at <= now()
    returning m.run_id, m.recipient, m.attempts`.execute(db)
  const [first] = taken
  if (!first) return false
  const run_ids = taken.map(({ run_id }) => run_id)
  const runs = await readFailedRuns(db, run_ids)
  const { recipient } = first
  const sent =
    runs.length === 0 ? null : await send({ to: recipient, ...writeMail(runs, { publicUrl, zone }) })
  if (!sent || sent.ok) {
    await clearDue(db, recipient, run_ids)
    if (sent) await noteSent(db, run_ids)
    if (sent) log.info({ runs: run_ids.length }, 'Sent a mail about failed runs')
    return true
  }
  const lost = sent.permanent
    ? run_ids
    : taken.flatMap((row) => (row.attempts >= MAX_ATTEMPTS ? row.run_id : []))
  await clearDue(db, recipient, lost)
  const about = { reason: sent.reason, runs: run_ids.length }
  if (lost.length > 0) log.error(about, 'Gave up sending a mail about failed runs')
  else log.warn(about, 'Failed to send a mail about failed runs; will retry')
  return true
}

const clearDue = (db: Db, recipient: string, run_ids: readonly number[]) =>
  sql`update run_mails set due_at = null where recipient = ${recipient} and run_id = any(${[...run_ids]}::int[])`.execute(
    db,
  )

const noteSent = (db: Db, run_ids: readonly number[]) =>
  sql`update runs set mailed_at = now() where id = any(${[...run_ids]}::int[]) and mailed_at is null`.execute(
    db,
  )
