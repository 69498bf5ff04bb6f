import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { FieldName } from './configs.ts'

/** A column that one source alone has, or that is read under another name. */
export const LoneColumn = z.object({
  source_task_id: Id,
  column: z.string(),
  /** The field that it is read as; null: its own name. */
  read_as: z.nullable(z.string()),
  /** Fields that may be meant by it, the nearest first. `same`: but for case, blanks, dashes and dots. */
  candidates: z.array(z.object({ field: z.string(), same: z.boolean() })),
})
export type LoneColumn = z.infer<typeof LoneColumn>

/** A source of a configuration, and the fields that columns of it can be read as. */
export const ColumnSource = z.object({
  source_task_id: Id,
  name: z.string(),
  /** Without a SKU column it cannot be compiled; all its columns are listed then. */
  has_sku: z.boolean(),
  fields: z.array(z.string()),
})
export type ColumnSource = z.infer<typeof ColumnSource>

/** The calls on what the columns of a configuration's sources are read as. */
export const compilerColumns = {
  loneColumns: {
    method: 'GET',
    path: '/api/compiler/lone_columns',
    summary:
      'Columns that one source alone has, as its rows are now, each with the fields of others that may be meant by it',
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
    summary: 'Read a column of a source as another field from the next compile on; null takes that back',
    params: IdParams,
    body: z.strictObject({ source_task_id: Id, column: FieldName, field: z.nullable(FieldName) }),
    status: 204,
  },
} satisfies Calls
