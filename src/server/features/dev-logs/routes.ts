import type { Kysely } from 'kysely'
import { DEFAULT_LOG_FILE, devLogs } from '../../../contract/dev-logs/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Database } from '../../platform/schema.ts'
import { clearLogFile } from './commands.ts'
import { listLogFiles } from './queries/files.ts'
import { readLogFile } from './queries/lines.ts'

type Deps = {
  db: Kysely<Database>
  /** Folder of the log files on this machine. */
  logFolder: string
}

/** Log files of the server processes. */
export const devLogsFeature: Feature<typeof devLogs, Deps> = {
  calls: devLogs,
  handlers: {
    files: async (_, { logFolder }) => ({
      files: await listLogFiles(logFolder),
      default_file: DEFAULT_LOG_FILE,
    }),
    read: ({ query }, { logFolder }) => readLogFile(logFolder, query.file),
    clear: ({ query, user }, { db, logFolder }) => clearLogFile(db, user, logFolder, query.file),
  },
}
