import { sql } from 'kysely'
import type { BodyOf } from '../../../contract/calls.ts'
import type { runLimits } from '../../../contract/run-limits/calls.ts'
import { LIMIT_DEFAULTS, readSavedDefaults } from '../../plans/limit-defaults.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Changes the limits of tasks that do not set their own. Throws NamedError `stale_update` after a concurrent change. */
export const saveLimitDefaults = (
  db: Db,
  actor: Actor,
  { updated_at, ...limits }: BodyOf<typeof runLimits.saveDefaults>,
) =>
  db.transaction().execute(async (trx) => {
    // Two first changes at once would both see none before.
    await sql`lock table settings in share row exclusive mode`.execute(trx)
    const current = await readSavedDefaults(trx)
    if (updated_at !== undefined && updated_at !== current.updated_at) throw new NamedError('stale_update')
    const value = JSON.stringify(limits)
    await trx
      .insertInto('settings')
      .values({ key: LIMIT_DEFAULTS, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: later }))
      .execute()
    await audit(trx, actor, {
      action: 'change_limits',
      object_type: 'run_limits',
      object_id: null,
      details: limits,
    })
    return readSavedDefaults(trx)
  })

// Later than any version that was read, also within one millisecond.
const later = sql<Date>`greatest(clock_timestamp(), settings.updated_at + interval '1 millisecond')`
