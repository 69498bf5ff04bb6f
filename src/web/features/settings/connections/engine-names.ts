import type { DatabaseSettings } from '../../../../contract/connections/calls.ts'

/** Display names of database engines. */
export const engineNames: Record<DatabaseSettings['engine'], string> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  sqlite: 'SQLite file',
}
