import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Revoke } from '../connectors/google-sheets/client/revoke.ts'
import type { Google, TaskAccounts } from '../connectors/google-sheets/google.ts'
import { writeLog } from '../engine/log-entries.ts'
import { stopRunIn } from '../engine/stop-run.ts'
import type { Actor } from '../platform/audit.ts'
import { lockGrant, readGrant } from '../platform/auth/grants.ts'
import type { Keys } from '../platform/auth/keys.ts'
import type { Db, Trx } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'

type Options = { db: Db; keys: Keys; google: Google; revoke: Revoke; log: Pick<Logger, 'warn'> }

/** Disconnects a user's Google account from all runs, permanently. */
export type Disconnect = {
  /**
   * From now on no run uses the user's account. Runs without another account stop and remove their staging tabs. False if there is no
   * account, or it is being disconnected already.
   */
  begin(trx: Trx, person: { id: number; email: string }, by: Actor): Promise<boolean>
  /** Revokes and deletes grants that no cleanup needs any more. If Google does not confirm, the next call tries again. */
  finish(): Promise<void>
}

/** After this time a grant is revoked even if a run or a staging tab still needs it. */
const CLEAN_UP_SECONDS = 300

export function createDisconnect({ db, keys, google, revoke, log }: Options): Disconnect {
  return {
    async begin(trx, person, by) {
      const { numUpdatedRows } = await trx
        .updateTable('grants')
        .set({ disconnecting_at: sql<Date>`now()`, revoke_at: sql<Date>`now()` })
        .where('user_id', '=', person.id)
        .where('disconnecting_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      const live = await accountsOf(trx, sql<boolean>`state in ('queued', 'running')`)
      for (const { task_id, has_other } of await google.tasksUsing(trx, live, person.id)) {
        if (has_other) continue
        const message = `${person.email} no longer shares a Google account, and the task has no other one.`
        await writeLog(trx, { task_id, run_id: null, level: 'WARNING', message })
        await stopRunIn(trx, task_id, by.email)
      }
      return true
    },

    async finish() {
      const due = await db
        .selectFrom('grants')
        .select('user_id')
        .where('disconnecting_at', 'is not', null)
        .where('revoke_at', '<=', sql<Date>`now()`)
        .execute()
      for (const { user_id } of due) await db.transaction().execute((trx) => finishOne(trx, user_id))
    },
  }

  async function finishOne(trx: Trx, user_id: number): Promise<void> {
    await lockGrant(trx, user_id)
    const own = (query = trx.selectFrom('grants')) => query.where('user_id', '=', user_id)
    // A user who signs in again waits for this lock, then gets a new grant.
    const grant = await own()
      .select(
        sql<boolean>`disconnecting_at < now() - make_interval(secs => ${CLEAN_UP_SECONDS})`.as('overdue'),
      )
      .where('disconnecting_at', 'is not', null)
      .where('revoke_at', '<=', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst()
    if (!grant || (!grant.overdue && (await cleansUp(trx, user_id)))) return
    const read = await readGrant(trx, keys, user_id)
    if (read.ok && !(await revoke(read.grant.refresh_token))) {
      log.warn(
        { user_id },
        'Google did not confirm that a grant was revoked; the revocation is retried later',
      )
      await trx
        .updateTable('grants')
        .set({
          revoke_at: sql<Date>`now() + greatest(interval '30 seconds', least(interval '1 hour', now() - disconnecting_at))`,
        })
        .where('user_id', '=', user_id)
        .execute()
      return
    }
    if (!read.ok && read.reason === 'unreadable')
      log.warn({ user_id }, 'A grant that no SECRET_KEY opens was deleted without revoking it at Google')
    await trx.deleteFrom('grants').where('user_id', '=', user_id).execute()
  }

  /** Whether the account is needed for cleanup: a run that may use it is stopping, or a staging tab of one is not removed yet. */
  async function cleansUp(trx: Trx, user_id: number): Promise<boolean> {
    const unfinished = await accountsOf(
      trx,
      sql<boolean>`id in (select run_id from staging_tabs union all select id from runs where state = 'stopping')`,
    )
    return (await google.tasksUsing(trx, unfinished, user_id)).length > 0
  }
}

/** The part of a definition that names accounts. */
const Accounts = z.object({
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
})

async function accountsOf(trx: Trx, which: RawBuilder<boolean>): Promise<TaskAccounts[]> {
  const runs = await trx
    .selectFrom('runs')
    .select(['task_id', 'definition'])
    .where('category', 'in', ['sync', 'source'])
    .where('task_id', 'is not', null)
    .where(which)
    .execute()
  return runs.flatMap(({ task_id, definition }) => {
    // A definition without accounts uses none.
    const accounts = Accounts.safeParse(definition)
    return task_id !== null && accounts.success ? [{ task_id, ...accounts.data }] : []
  })
}
