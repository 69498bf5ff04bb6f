import type { DatabaseSettings } from '../../../../contract/connections/calls.ts'

/** What the kinds of databases are called. */
export const engineNames: Record<DatabaseSettings['engine'], string> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  sqlite: 'SQLite file',
}
