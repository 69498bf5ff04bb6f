import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { RecordDecision } from '../decisions/decisions.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { RecordOverride } from '../overrides/overrides.ts'
import { CellValue, NumberFormat } from '../tables.ts'
import { CheckResult } from './checks.ts'

const ConfigId = digits('compiler_config_id', 1, 2_147_483_647)
const OfConfig = z.strictObject({ compiler_config_id: ConfigId })

/** Record counts of a configuration. */
export const CompilerStats = z.object({
  total_records: z.int(),
  /** Records without blanks, errors and duplicates. */
  clean_records: z.int(),
  records_with_blanks: z.int(),
  records_with_errors: z.int(),
  duplicate_records: z.int(),
  compiled_at: z.nullable(Moment),
})
export type CompilerStats = z.infer<typeof CompilerStats>

const NumberFormats = z.record(z.string(), NumberFormat)

/** A compiled record: fixed properties, and its fields by name. */
export const CompiledRecord = z.catchall(
  z.object({
    sku: z.string(),
    /** Number of sources that have the SKU. */
    source_count: z.int(),
    has_blanks: z.boolean(),
    has_errors: z.boolean(),
    is_duplicate: z.boolean(),
    /** Explanation of the flags; blank without flags. */
    validation_notes: z.string(),
    /** Number formats of the sources by field; fields without one are not formatted. */
    number_formats: NumberFormats,
    compiler_config_id: Id,
    created_at: Moment,
    updated_at: Moment,
  }),
  // The catchall type must include the types of the fixed properties.
  z.union([CellValue, z.boolean(), NumberFormats]),
)
export type CompiledRecord = z.infer<typeof CompiledRecord>

const OneSource = z.object({ source_task_id: Id, name: z.string() })

/** Value of a field in one source. */
const SourceValue = z.object({
  ...OneSource.shape,
  value: CellValue,
  number_format: z.nullable(NumberFormat),
})

/** A compiled record with the source of each value. */
export const CompiledRecordDetail = z.object({
  record: CompiledRecord,
  /** Counts of required fields. */
  completeness: z.object({ filled: z.int(), of: z.int() }),
  fields: z.array(
    z.object({
      name: z.string(),
      value: CellValue,
      /** Number format in its source; null if it has none. */
      number_format: z.nullable(NumberFormat),
      required: z.boolean(),
      error: z.boolean(),
      /** What checks it fails, one sentence each. */
      failures: z.array(z.string()),
      /** The code with the leading zeros that it has lost, if its check digit is checked and they make it valid; null: they do not. */
      repaired: z.nullable(z.string()),
      /** The value in its source if it was normalised or kept out; null: it is the same, or unknown. */
      raw: z.nullable(SourceValue),
      /** The value that a person set in place of what the sources have; null: none in the last compile. */
      override: z.nullable(RecordOverride),
      /** The live override, which may be newer than the last compile; null: none. */
      live_override: z.nullable(RecordOverride),
      /** The rule that decided between sources that disagree; null: none did. */
      decision: z.nullable(RecordDecision),
      /** Null if no source has a value. */
      source: z.nullable(OneSource),
      /** Values of the other sources that have the SKU and the column, in the order of precedence. */
      others: z.array(SourceValue),
    }),
  ),
  /** For each target whose completeness is measured the fields that the record lacks; none: it is complete. */
  targets: z.array(z.object({ task_id: Id, name: z.string(), missing: z.array(z.string()) })),
  flags: z.array(
    z.object({
      flag: z.enum([
        'has_blanks',
        'has_errors',
        'failed_warnings',
        'is_duplicate',
        'not_in_master',
        'sku_padded',
      ]),
      explanation: z.string(),
    }),
  ),
  /** Sources that have the SKU, but whose compiled rows were replaced since; their values are missing in `others`. */
  sources_gone: z.array(OneSource),
})
export type CompiledRecordDetail = z.infer<typeof CompiledRecordDetail>

const NumberMove = z.object({
  source: OneSource,
  field: z.string(),
  sku: z.string(),
  from: z.number(),
  to: z.number(),
  /** Row number in the source; omitted if unknown. */
  row: z.optional(z.int()),
})

/** Changes of numbers since the previous compile. */
export const QualityMoves = z.object({
  /** Largest relative changes per source. The change is relative to the larger of the two numbers. */
  moves: z.array(NumberMove),
  /** Number of changed records that were searched. */
  moves_of: z.int(),
  /** In how many of them a source has changed a field, most first; a null source: no source filled it. Empty if an earlier release counted. */
  causes: z._default(
    z.array(z.object({ source: z.nullable(OneSource), field: z.string(), records: z.int() })),
    [],
  ),
})

/** Quality of the records of a configuration: last compiles, and changes since the previous one. */
export const CompilerQuality = z.object({
  /** Last successful compiles, newest last. */
  compiles: z.array(
    z.object({
      run_id: Id,
      compiled_at: Moment,
      total: z.int(),
      /** Null in old receipts without this count. */
      clean: z.nullable(z.int()),
      blanks: z.int(),
      errors: z.int(),
      duplicates: z.int(),
    }),
  ),
  /** Blank records per field, and the number of records that each source fills, largest first. */
  fields: z.array(
    z.object({
      name: z.string(),
      blanks: z.int(),
      filled_by: z.array(z.object({ ...OneSource.shape, records: z.int() })),
    }),
  ),
  /** Checks of the last compile, and the number of records that fail each. */
  checks: z.array(CheckResult),
  /** Null for the first compile. */
  since_last: z.nullable(
    z.object({
      added: z.int(),
      changed: z.int(),
      gone: z.int(),
      ...QualityMoves.shape,
      moves: z.array(z.extend(NumberMove, { number_format: z.nullable(NumberFormat) })),
    }),
  ),
})
export type CompilerQuality = z.infer<typeof CompilerQuality>

const FieldName = z.string().check(z.maxLength(limits.field_name_characters))
const Flag = z.optional(z.enum(['true', 'false']))

const filters = {
  /** Substring of the SKU, case-insensitive. */
  sku_search: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  has_blanks: Flag,
  has_errors: Flag,
  is_duplicate: Flag,
  not_in_master: Flag,
  /** Number of a check of the last compile that fails. */
  failed_check: z.optional(digits('failed_check', 0, limits.field_checks_max - 1)),
  /** Records with the different values of one disagreement of the last compile, by its id. */
  disagreement: z.optional(digits('disagreement', 1, 2_147_483_647)),
  /** Records that lack a field that this sync task needs. */
  incomplete_for: z.optional(digits('incomplete_for', 1, 2_147_483_647)),
  /** Name of a field that is blank. */
  blank_field: z.optional(FieldName),
  /** A source that fills `field`, or any field without it. */
  filled_by: z.optional(digits('filled_by', 1, 2_147_483_647)),
  field: z.optional(FieldName),
  /** Records that were added, changed or removed by the last compile. Removed records are shown with their last values. */
  change: z.optional(z.enum(['added', 'changed', 'gone'])),
}

/** Filters of records; all must match. */
export const CompiledFilters = z.strictObject({ compiler_config_id: ConfigId, ...filters })
export type CompiledFilters = z.output<typeof CompiledFilters>

/** Filters and page of records. */
export const CompiledDataQuery = z.strictObject({
  compiler_config_id: ConfigId,
  limit: z._default(digits('limit', 1, limits.compiled_page_max), limits.compiled_page_size),
  offset: z._default(digits('offset', 0, 10_000_000), 0),
  ...filters,
})
export type CompiledDataQuery = z.output<typeof CompiledDataQuery>

/** A SKU that is missing from the master, and similar master SKUs. */
export const UnmatchedSku = z.object({
  sku: z.string(),
  /** Sources that have the SKU. `mapped_to`: master SKU from the next compile on; null if not mapped. */
  sources: z.array(z.object({ ...OneSource.shape, mapped_to: z.nullable(z.string()) })),
  /** Best match first. `same`: equal except for case, dashes, blanks and leading zeros. */
  candidates: z.array(z.object({ sku: z.string(), same: z.boolean() })),
})
export type UnmatchedSku = z.infer<typeof UnmatchedSku>

const Sku = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.field_name_characters))

/** A mapping of a source's SKU to a master SKU. */
export const SkuMapping = z.object({ source_task_id: Id, sku: z.string(), master_sku: z.string() })
export type SkuMapping = z.infer<typeof SkuMapping>

const SkuParams = z.strictObject({ sku: z.string() })
/** `sku`: overrides the SKU in the path, for SKUs that cannot be in a path. */
const OfRecord = z.strictObject({ compiler_config_id: ConfigId, sku: z.optional(z.string()) })

/** Characters that browsers and proxies do not change in a path. */
const SAFE_IN_PATHS = /^(?!\.{1,2}$)[\w.~ -]+$/

/** Parameters that identify a record: the SKU is in the path, or in the query if a path cannot contain it, such as “..”. */
export const recordOf = (compiler_config_id: number, sku: string) =>
  SAFE_IN_PATHS.test(sku)
    ? { params: { sku }, query: { compiler_config_id } }
    : { params: { sku: '-' }, query: { compiler_config_id, sku } }

/** API calls for the records of a configuration. */
export const compilerRecords = {
  stats: {
    method: 'GET',
    path: '/api/compiler/stats',
    summary: 'Number of records of a configuration, and of those that need attention',
    query: OfConfig,
    reply: CompilerStats,
  },
  data: {
    method: 'GET',
    path: '/api/compiler/data',
    summary: 'Compiled records of a configuration in order, streamed; all filters must match',
    query: CompiledDataQuery,
    reply: z.object({
      data: z.array(CompiledRecord),
      total_count: z.int(),
      limit: z.int(),
      offset: z.int(),
      has_next: z.boolean(),
      has_prev: z.boolean(),
    }),
  },
  quality: {
    method: 'GET',
    path: '/api/compiler/quality',
    summary:
      'Quality of the records: the last compiles, the sources of each field, and the changes since the previous compile',
    query: OfConfig,
    reply: CompilerQuality,
  },
  record: {
    method: 'GET',
    path: '/api/compiler/data/:sku',
    summary:
      'One compiled record: the origin of each value, the values of other sources, and the explanation of its flags',
    params: SkuParams,
    query: OfRecord,
    reply: CompiledRecordDetail,
  },
  deleteRecord: {
    method: 'DELETE',
    path: '/api/compiler/data/:sku',
    summary: 'Remove a compiled record until a compile finds its SKU again; 409 during a compile',
    params: SkuParams,
    query: OfRecord,
    status: 204,
  },
  clear: {
    method: 'DELETE',
    path: '/api/compiler/data',
    summary: 'Remove all compiled records of a configuration; 409 during a compile',
    body: z.strictObject({ compiler_config_id: Id }),
    reply: z.object({ deleted_count: z.int() }),
  },
  unmatched: {
    method: 'GET',
    path: '/api/compiler/unmatched',
    summary: 'SKUs missing from the master, each with similar SKUs of the master',
    query: z.strictObject({
      compiler_config_id: ConfigId,
      limit: z._default(digits('limit', 1, limits.unmatched_page_max), limits.compiled_page_size),
      offset: z._default(digits('offset', 0, 10_000_000), 0),
    }),
    reply: z.object({
      data: z.array(UnmatchedSku),
      total_count: z.int(),
      limit: z.int(),
      offset: z.int(),
      has_next: z.boolean(),
      has_prev: z.boolean(),
    }),
  },
  skuMappings: {
    method: 'GET',
    path: '/api/compiler/configs/:id/sku_mappings',
    summary: 'Mappings of SKUs of sources to SKUs of the master',
    params: IdParams,
    reply: z.array(SkuMapping),
  },
  mapSku: {
    method: 'PUT',
    path: '/api/compiler/configs/:id/sku_mappings',
    summary: 'Map a SKU of a source to one of the master from the next compile on; null removes the mapping',
    params: IdParams,
    body: z.strictObject({ source_task_id: Id, sku: Sku, master_sku: z.nullable(Sku) }),
    status: 204,
  },
  export: {
    method: 'GET',
    path: '/api/compiler/export',
    summary: 'Compiled records as CSV, streamed; filters as for the data; 404 without records',
    query: z.extend(CompiledFilters, {
      /** `true`: with a column that names the author and reason of values that people set. */
      overrides: z.optional(z.enum(['true', 'false'])),
    }),
    download: { content_type: 'text/csv; charset=utf-8', filename: 'compiled_data.csv' },
  },
} satisfies Calls
