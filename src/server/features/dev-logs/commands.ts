import type { Kysely } from 'kysely'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Database } from '../../platform/schema.ts'
import { openLogFile } from './queries/files.ts'

/**
 * Truncates a log file. A process that is writing to it continues at the start, because it opened the file in append mode. Throws
 * NamedError `log_file_not_found`.
 */
export async function clearLogFile(
  db: Kysely<Database>,
  actor: Actor,
  folder: string,
  id: string,
): Promise<void> {
  const handle = await openLogFile(folder, id, 'write')
  try {
    await db.transaction().execute(async (trx) => {
      await audit(trx, actor, {
        action: 'clear',
        object_type: 'log_file',
        object_id: null,
        details: { file: id },
      })
      await handle.truncate(0)
    })
  } finally {
    await handle.close()
  }
}
