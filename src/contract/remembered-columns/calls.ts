import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FieldName } from '../field-checks/field-checks.ts'
import { IdParams, Moment } from '../fields.ts'

/** A column of a version of rows: its name, its place counted from 1, and some of its values. */
const ColumnSeen = z.object({ name: z.string(), position: z.int(), values: z.array(z.string()) })

/**
 * How a column of new rows differs from the current rows. `renamed`: a missing column and a new one that may be the same; accepting the
 * rows reads it under the former name. `shifted`: its values look like those that its neighbour `looks_like` has in the current rows.
 */
export const ColumnChange = z.object({
  kind: z.enum(['missing', 'renamed', 'new', 'shifted']),
  /** In the current rows; null: it is new. */
  before: z.nullable(ColumnSeen),
  /** In the new rows; null: it is missing. */
  now: z.nullable(ColumnSeen),
  /** Null unless it is shifted. */
  looks_like: z.nullable(z.string()),
})
export type ColumnChange = z.infer<typeof ColumnChange>

/** A column of the origin, and the name under which it is stored. */
export const ColumnName = z.strictObject({ column: FieldName, read_as: FieldName })
export type ColumnName = z.infer<typeof ColumnName>

/** API calls for the columns of a source task. */
export const sourceColumns = {
  columns: {
    method: 'GET',
    path: '/api/source_tasks/:id/columns',
    summary:
      'Columns of the current rows with some values, columns of the origin that are read under another name, and how the columns of waiting rows differ',
    params: IdParams,
    reply: z.object({
      columns: z.array(ColumnSeen),
      names: z.array(
        z.object({ column: z.string(), read_as: z.string(), set_by: z.string(), set_at: Moment }),
      ),
      changes: z.array(ColumnChange),
    }),
  },
  nameColumn: {
    method: 'PUT',
    path: '/api/source_tasks/:id/column_names',
    summary:
      'Read a column of the origin under another name from the next run on, unless the origin has a column of that name; null removes the name',
    params: IdParams,
    body: z.strictObject({ column: FieldName, read_as: z.nullable(FieldName) }),
    status: 204,
  },
} satisfies Calls
