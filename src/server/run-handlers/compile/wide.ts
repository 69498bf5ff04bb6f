import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

// PostgreSQL takes a hundred arguments.
const ARGUMENTS = 100

const parts = (items: readonly Sql[]): Sql[][] =>
  Array.from({ length: Math.ceil(items.length / ARGUMENTS) }, (_, n) =>
    items.slice(n * ARGUMENTS, (n + 1) * ARGUMENTS),
  )

const called = (name: string, items: readonly Sql[]): Sql[] =>
  parts(items).map((part) => sql`${sql.raw(name)}(${sql.join(part)})`)

/** A JSON array of as many values as there are. */
export const listOf = (items: readonly Sql[]): Sql =>
  sql`(${sql.join(called('jsonb_build_array', items), sql` || `)})`

/** The sum of what a function, such as num_nulls, counts in as many values as there are. */
export const sumOf = (name: 'num_nulls', items: readonly Sql[]): Sql =>
  items.length === 0 ? sql`0` : sql`(${sql.join(called(name, items), sql` + `)})`
