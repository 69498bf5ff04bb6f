import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

// PostgreSQL takes a hundred arguments.
const ARGUMENTS = 100

/** A JSON array of as many values as there are. */
export function listOf(items: readonly Sql[]): Sql {
  const parts = Array.from({ length: Math.ceil(items.length / ARGUMENTS) }, (_, n) =>
    items.slice(n * ARGUMENTS, (n + 1) * ARGUMENTS),
  )
  return sql`(${sql.join(
    parts.map((part) => sql`jsonb_build_array(${sql.join(part)})`),
    sql` || `,
  )})`
}
