import type { Kysely } from 'kysely'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Database } from '../../platform/schema.ts'
import { openLogFile } from './queries/files.ts'

/**
 * Empties a log file, whether a process writes to it or not: it is open there for appending, so that the next line
 * stands at its start. Throws NamedError `log_file_not_found`.
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
