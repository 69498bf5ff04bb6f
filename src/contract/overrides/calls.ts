import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { CompiledFilters } from '../compiler/records.ts'
import { CsvRowError } from '../csv-jobs/calls.ts'
import { FieldName } from '../field-checks/field-checks.ts'
import { digits, Id, IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue } from '../tables.ts'
import { overrideFieldMessages as messages } from './field-messages.ts'
import { Override } from './overrides.ts'

const Sku = z
  .string()
  .check(z.normalize('NFC'), z.trim(), z.minLength(1), z.maxLength(limits.field_name_characters))
const Value = z.union([
  z.string().check(z.maxLength(limits.cell_characters, messages.value_long)),
  z.number(),
  z.boolean(),
  z.null(),
])
const Reason = z._default(
  z.string().check(z.trim(), z.maxLength(limits.description_characters, messages.reason_long)),
  '',
)
const EndsOn = z._default(z.nullable(z.iso.date(messages.ends_on_invalid)), null)

/** The parts of an override in a file, checked like those of a call. */
export const OverrideRow = z.strictObject({
  sku: Sku,
  field: FieldName,
  value: Value,
  reason: Reason,
  ends_on: EndsOn,
})
export type OverrideRow = z.output<typeof OverrideRow>

const Filters = {
  /** `waiting`: live, but not in the records of the last compile. */
  state: z.optional(z.enum(['live', 'active', 'review', 'waiting', 'ended'])),
  field: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  author: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  /** Part of the SKU, the value or the reason, ignoring case. */
  text: z.optional(z.string().check(z.maxLength(limits.search_characters))),
}
export const OverrideFilters = z.strictObject(Filters)
export type OverrideFilters = z.output<typeof OverrideFilters>

/** What a file of overrides does, or has done. */
export const OverrideFileReply = z.object({
  /** The change; null: nothing was changed. */
  batch: z.nullable(Id),
  rows: z.int(),
  /** Rows that set a value, including those that replace an override. */
  set: z.int(),
  replaced: z.int(),
  /** Rows equal to a live override. */
  unchanged: z.int(),
  /** Rows whose SKU is not among the records. */
  no_sku: z.int(),
  refused: z.int(),
  /** The first refused rows, which are left out. */
  errors: z.array(CsvRowError),
  /** The first values that are set. */
  first: z.array(
    z.object({ sku: z.string(), field: z.string(), before: CellValue, after: CellValue, reason: z.string() }),
  ),
})
export type OverrideFileReply = z.infer<typeof OverrideFileReply>

const Changed = z.object({
  /** The change, for undo; null: nothing was changed. */
  batch: z.nullable(Id),
  set: z.int(),
  replaced: z.int(),
  unchanged: z.int(),
})

const path = '/api/compiler/configs/:id/overrides'

/** API calls for values that people set for fields of SKUs. */
export const compilerOverrides = {
  list: {
    method: 'GET',
    path,
    summary: 'Values that people set for fields of SKUs, newest first; all filters must match',
    params: IdParams,
    query: z.strictObject({
      ...Filters,
      limit: z._default(digits('limit', 1, limits.overrides_page_max), limits.compiled_page_size),
      offset: z._default(digits('offset', 0, 10_000_000), 0),
    }),
    reply: z.object({
      data: z.array(Override),
      total_count: z.int(),
      limit: z.int(),
      offset: z.int(),
      has_next: z.boolean(),
      has_prev: z.boolean(),
      /** Counts of all overrides by state. */
      counts: z.object({ active: z.int(), review: z.int(), waiting: z.int(), ended: z.int() }),
      /** Values of the filters. */
      fields: z.array(z.string()),
      authors: z.array(z.string()),
    }),
  },
  set: {
    method: 'PUT',
    path,
    summary: 'Set values for fields of SKUs, which win over all sources from the next compile on',
    params: IdParams,
    body: z.strictObject({
      values: z
        .array(
          z.strictObject({
            sku: Sku,
            field: FieldName,
            value: Value,
            /** The live override that the caller saw, null for none: 409 if there is another one. */
            replaces: z.optional(z.nullable(Id)),
          }),
        )
        .check(z.minLength(1), z.maxLength(limits.overrides_at_once)),
      reason: Reason,
      ends_on: EndsOn,
    }),
    reply: Changed,
  },
  setSelection: {
    method: 'POST',
    path: `${path}/selection`,
    summary: 'Set the value of one field for all records that match the filters, or for some of them',
    params: IdParams,
    body: z.strictObject({
      filters: z.omit(CompiledFilters, { compiler_config_id: true }),
      /** Only these of them; omitted: all. */
      skus: z.optional(z.array(Sku).check(z.minLength(1), z.maxLength(limits.overrides_at_once))),
      field: FieldName,
      value: Value,
      reason: Reason,
      ends_on: EndsOn,
    }),
    reply: Changed,
  },
  review: {
    method: 'POST',
    path: `${path}/decide`,
    summary:
      'Keep overrides that are for review, end overrides, or restore ended ones; others than the decision fits are skipped',
    params: IdParams,
    body: z
      .strictObject({
        ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(limits.overrides_at_once))),
        /** Instead of ids: all overrides that match. */
        filters: z.optional(OverrideFilters),
        decision: z.enum(['keep', 'drop', 'restore']),
      })
      .check(
        z.refine(
          ({ ids, filters }) => (ids === undefined) !== (filters === undefined),
          messages.ids_or_filters,
        ),
      ),
    reply: z.object({
      changed: z.int(),
      /** The change, for undo within a day; null: nothing was changed, or overrides were restored. */
      batch: z.nullable(Id),
    }),
  },
  undo: {
    method: 'POST',
    path: `${path}/undo`,
    summary:
      'Undo a change. One that set overrides: its live ones end, and those that they replaced apply again. One that kept or dropped overrides: they are for review or apply again. Overrides that were changed since stay as they are',
    params: IdParams,
    body: z.strictObject({ batch: Id }),
    reply: z.object({
      ended: z.int(),
      restored: z.int(),
      /** Overrides of the change that stay as they are, because they were changed since, and the first of them. */
      changed_since: z.object({
        count: z.int(),
        first: z.array(z.object({ sku: z.string(), field: z.string() })),
      }),
    }),
  },
  importCsv: {
    method: 'POST',
    path: `${path}/import_csv`,
    summary:
      'Set overrides from a CSV file with the columns sku, field, value, reason and ends_on; without `apply=true` only says what it would do',
    params: IdParams,
    upload: {
      field: 'file',
      max_bytes: limits.csv_bytes,
      options: z.strictObject({ apply: z._default(z.enum(['true', 'false']), 'false') }),
    },
    reply: OverrideFileReply,
  },
  exportCsv: {
    method: 'GET',
    path: `${path}/export_csv`,
    summary: 'Overrides as CSV, in the format of an import; filters as for the list',
    params: IdParams,
    query: OverrideFilters,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'overrides.csv' },
  },
} satisfies Calls
