import { LimitDefaults } from '../../contract/run-limits/calls.ts'
import type { Db, Trx } from '../platform/db.ts'

/** Key in the table of settings. */
export const LIMIT_DEFAULTS = 'run_limits'

/** The limits of tasks that do not set their own; `updated_at` is null before the first change. */
export async function readSavedDefaults(
  db: Db | Trx,
): Promise<LimitDefaults & { updated_at: string | null }> {
  const saved = await db
    .selectFrom('settings')
    .select(['value', 'updated_at'])
    .where('key', '=', LIMIT_DEFAULTS)
    .executeTakeFirst()
  return { ...LimitDefaults.parse(saved?.value ?? {}), updated_at: saved?.updated_at.toISOString() ?? null }
}

/** The same without its version. */
export async function readLimitDefaults(db: Db | Trx): Promise<LimitDefaults> {
  const { updated_at: _, ...defaults } = await readSavedDefaults(db)
  return defaults
}
