/** The embedded PostgreSQL cannot be prepared or started; the message says why and, where there is one, the way out. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}
