import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FieldName } from '../field-checks/field-checks.ts'
import { digits, Id } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue, NumberFormat } from '../tables.ts'

/** How a compile changed a record: `gone` records were in the previous compile only. */
export const RecordChangeKind = z.enum(['gone', 'changed', 'added'])
export type RecordChangeKind = z.infer<typeof RecordChangeKind>

const Value = z.object({ value: CellValue, number_format: z.nullable(NumberFormat) })

/** One changed field, or a record that was added or is gone. */
export const RecordChange = z.object({
  kind: RecordChangeKind,
  sku: z.string(),
  /** Null for records that were added or are gone. */
  field: z.nullable(z.string()),
  before: Value,
  after: Value,
  /**
   * The source that fills the field, or filled it if it is blank now. Of added records the sources that have the SKU, of gone ones those
   * that had it.
   */
  sources: z.array(z.object({ source_task_id: Id, name: z.string() })),
})
export type RecordChange = z.infer<typeof RecordChange>

const filters = {
  compiler_config_id: digits('compiler_config_id', 1, 2_147_483_647),
  kind: z.optional(RecordChangeKind),
  /** Changes that this source caused. */
  source: z.optional(digits('source', 1, 2_147_483_647)),
  /** Changes of this field. */
  field: z.optional(FieldName),
  /** The changes that the compile that waits for an approval would make. */
  waiting: z.optional(z.enum(['true'])),
  /** Substring of the SKU, case-insensitive. */
  sku_search: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
}

/** Filters of changes; all must match. */
export const ChangeFilters = z.strictObject(filters)
export type ChangeFilters = z.output<typeof ChangeFilters>

/** Filters, and where to go on. */
export const ChangesQuery = z.strictObject({
  ...filters,
  limit: z._default(digits('limit', 1, limits.compiled_page_max), limits.compiled_page_size),
  /** `next` of the previous answer. */
  from: z._default(digits('from', 0, 30_000_000), 0),
})
export type ChangesQuery = z.output<typeof ChangesQuery>

/** API calls for what the last compile changed. */
export const compilerChanges = {
  changes: {
    method: 'GET',
    path: '/api/compiler/changes',
    summary:
      'What the last compile changed against the previous one, or a waiting compile would change: records that are gone, changed fields, added records; at least `limit` changes, or what is found within 5,000 changed records. `next` continues',
    query: ChangesQuery,
    reply: z.object({ changes: z.array(RecordChange), next: z.nullable(z.int()) }),
  },
  exportChanges: {
    method: 'GET',
    path: '/api/compiler/changes/export',
    summary: 'What a compile changed as CSV, streamed; filters as for the list; 404 without changes',
    query: ChangeFilters,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'compiled_changes.csv' },
  },
} satisfies Calls
