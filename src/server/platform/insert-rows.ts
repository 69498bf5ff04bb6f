import { type InsertQueryBuilder, type InsertResult, type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: unknown }

/**
 * Inserts one or more rows with the same columns as one JSON parameter: thousands of parameters cost as much as the
 * insert itself.
 */
export function insertRows<Table extends keyof Database, Column extends keyof Database[Table] & string>(
  db: Kysely<Database>,
  table: Table,
  rows: readonly Record<Column, Json>[],
): InsertQueryBuilder<Database, Table, InsertResult> {
  const columns = Object.keys(rows[0] ?? {}) as Column[]
  return db
    .insertInto(table)
    .columns(columns)
    .expression(sql`
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`)
}
