import { createReadStream } from 'node:fs'
import { acceptImport } from '../../../csv-jobs/upload.ts'
import type { CsvDefinitions } from '../../../csv-jobs/worker.ts'
import type { Actor } from '../../../platform/audit.ts'
import { readColumnNames } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { isSyncHeader } from '../csv.ts'

/**
 * Stores a CSV file and creates its import job. A file with the header of sync tasks becomes an import of sync tasks. Returns the
 * job id. Throws as acceptImport does.
 */
export async function acceptFile(
  db: Db,
  { imports }: Pick<CsvDefinitions, 'imports'>,
  given: { actor: Actor; upload: ReceivedFile },
): Promise<number> {
  const names = await readColumnNames(createReadStream(given.upload.path))
  const wanted = isSyncHeader(names) ? 'sync_task' : 'source_task'
  const definition = imports.find(({ type }) => type === wanted)
  if (definition === undefined) throw new TypeError(`No import is registered for files of the type ${wanted}`)
  const { type, shape } = definition
  return acceptImport(db, { type, shape, ...given })
}
