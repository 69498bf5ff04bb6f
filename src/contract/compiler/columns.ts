import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FieldName } from '../field-checks/field-checks.ts'
import { digits, Id, IdParams } from '../fields.ts'
import { limits } from '../limits.ts'

/** A column that only one source has, or that is renamed. */
export const LoneColumn = z.object({
  source_task_id: Id,
  column: z.string(),
  /** Field that it is renamed to; null if it is not renamed. */
  read_as: z.nullable(z.string()),
  /** Similar field names, best match first. `same`: equal except for case, blanks, dashes and dots. */
  candidates: z.array(z.object({ field: z.string(), same: z.boolean() })),
})
export type LoneColumn = z.infer<typeof LoneColumn>

/** A source of a configuration, and the fields that its columns can be renamed to. */
export const ColumnSource = z.object({
  source_task_id: Id,
  name: z.string(),
  /** A source without a SKU column cannot be compiled; all its columns are listed. */
  has_sku: z.boolean(),
  fields: z.array(z.string()),
})
export type ColumnSource = z.infer<typeof ColumnSource>

/** API calls for the columns of a configuration's sources. */
export const compilerColumns = {
  loneColumns: {
    method: 'GET',
    path: '/api/compiler/lone_columns',
    summary: 'Columns that only one source currently has, each with similar fields of other sources',
    query: z.strictObject({
      compiler_config_id: digits('compiler_config_id', 1, 2_147_483_647),
      limit: z._default(digits('limit', 1, limits.unmatched_page_max), limits.compiled_page_size),
      offset: z._default(digits('offset', 0, 10_000_000), 0),
    }),
    reply: z.object({
      data: z.array(LoneColumn),
      sources: z.array(ColumnSource),
      total_count: z.int(),
      limit: z.int(),
      offset: z.int(),
      has_next: z.boolean(),
      has_prev: z.boolean(),
    }),
  },
  nameColumn: {
    method: 'PUT',
    path: '/api/compiler/configs/:id/column_names',
    summary: 'Map a column of a source to another field from the next compile on; null removes the mapping',
    params: IdParams,
    body: z.strictObject({ source_task_id: Id, column: FieldName, field: z.nullable(FieldName) }),
    status: 204,
  },
} satisfies Calls
