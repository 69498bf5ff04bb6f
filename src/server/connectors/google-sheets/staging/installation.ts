import { z } from 'zod'
import type { Db } from '../../../platform/db.ts'

/**
 * Id of this installation. It distinguishes its staging tabs from those of other installations that use the same
 * spreadsheets.
 */
export async function installationId(db: Db): Promise<string> {
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'installation_id')
    .executeTakeFirstOrThrow()
  return z.string().parse(value)
}
