import { z } from 'zod'
import type { Db } from '../../platform/db.ts'

/** What tells this installation's hidden tabs from those of others that work in the same spreadsheets. */
export async function installationId(db: Db): Promise<string> {
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'installation_id')
    .executeTakeFirstOrThrow()
  return z.string().parse(value)
}
