import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue, NumberFormat } from '../tables.ts'

const ConfigId = digits('compiler_config_id', 1, 2_147_483_647)
const OfConfig = z.strictObject({ compiler_config_id: ConfigId })

/** How many records a configuration has, and how many of them are to be looked at. */
export const CompilerStats = z.object({
  total_records: z.int(),
  /** Without a badge: no blanks, no errors, no duplicates. */
  clean_records: z.int(),
  records_with_blanks: z.int(),
  records_with_errors: z.int(),
  duplicate_records: z.int(),
  compiled_at: z.nullable(Moment),
})
export type CompilerStats = z.infer<typeof CompilerStats>

const NumberFormats = z.record(z.string(), NumberFormat)

/** A compiled record: what every one has, and its fields by their names. */
export const CompiledRecord = z.catchall(
  z.object({
    sku: z.string(),
    /** Sources that have the SKU. */
    source_count: z.int(),
    has_blanks: z.boolean(),
    has_errors: z.boolean(),
    is_duplicate: z.boolean(),
    /** Why it has its flags, in sentences; blank where it has none. */
    validation_notes: z.string(),
    /** How the source of a number shows it, by field; one that is left out is shown as it is. */
    number_formats: NumberFormats,
    compiler_config_id: Id,
    created_at: Moment,
    updated_at: Moment,
  }),
  // TypeScript has what is named above among them
  z.union([CellValue, z.boolean(), NumberFormats]),
)
export type CompiledRecord = z.infer<typeof CompiledRecord>

const OneSource = z.object({ source_task_id: Id, name: z.string() })

/** A value of a record that one of its sources has. */
const SourceValue = z.object({
  ...OneSource.shape,
  value: CellValue,
  number_format: z.nullable(NumberFormat),
})

/** A compiled record with where each of its values came from. */
export const CompiledRecordDetail = z.object({
  record: CompiledRecord,
  /** Of the fields that have to be filled. */
  completeness: z.object({ filled: z.int(), of: z.int() }),
  fields: z.array(
    z.object({
      name: z.string(),
      value: CellValue,
      /** How its source shows a number; null: as it is. */
      number_format: z.nullable(NumberFormat),
      required: z.boolean(),
      error: z.boolean(),
      /** Null where no source has a value. */
      source: z.nullable(OneSource),
      /** What the other sources that have the SKU and such a column say, in the order in which they would win. */
      others: z.array(SourceValue),
    }),
  ),
  flags: z.array(
    z.object({
      flag: z.enum(['has_blanks', 'has_errors', 'is_duplicate', 'not_in_master', 'sku_padded']),
      explanation: z.string(),
    }),
  ),
  /** Sources that have the SKU, whose rows of then are not kept any more: what they said is not among the others. */
  sources_gone: z.array(OneSource),
})
export type CompiledRecordDetail = z.infer<typeof CompiledRecordDetail>

const NumberMove = z.object({
  source: OneSource,
  field: z.string(),
  sku: z.string(),
  from: z.number(),
  to: z.number(),
  /** The row of the source that says so; left out where it is not known. */
  row: z.optional(z.int()),
})

/** What has moved since the compile before. */
export const QualityMoves = z.object({
  /** Of each source the numbers that moved most: by how much of the larger one of both. */
  moves: z.array(NumberMove),
  /** In how many of the changed records moves were looked for. */
  moves_of: z.int(),
})

/** How good the records of a configuration are, over its last compiles and since the one before. */
export const CompilerQuality = z.object({
  /** The last ones that ended well, the newest last. */
  compiles: z.array(
    z.object({
      run_id: Id,
      compiled_at: Moment,
      total: z.int(),
      /** Null in those from before this was counted. */
      clean: z.nullable(z.int()),
      blanks: z.int(),
      errors: z.int(),
      duplicates: z.int(),
    }),
  ),
  /** In how many records each field is blank, and which source fills it in how many, the one that fills most first. */
  fields: z.array(
    z.object({
      name: z.string(),
      blanks: z.int(),
      filled_by: z.array(z.object({ ...OneSource.shape, records: z.int() })),
    }),
  ),
  /** Null where there was no compile before. */
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
  /** Anywhere in the SKU, upper and lower case alike. */
  sku_search: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  has_blanks: Flag,
  has_errors: Flag,
  is_duplicate: Flag,
  not_in_master: Flag,
  /** The name of a field that has no value. */
  blank_field: z.optional(FieldName),
  /** A source that has filled `field`, or without that any field. */
  filled_by: z.optional(digits('filled_by', 1, 2_147_483_647)),
  field: z.optional(FieldName),
  /** Since the compile before: records that came, have other values, or went. Those that went are shown as they were. */
  change: z.optional(z.enum(['added', 'changed', 'gone'])),
}

/** Which records of a configuration; all that is said of them has to hold. */
export const CompiledFilters = z.strictObject({ compiler_config_id: ConfigId, ...filters })
export type CompiledFilters = z.output<typeof CompiledFilters>

/** Which records of a configuration, and which page of them. */
export const CompiledDataQuery = z.strictObject({
  compiler_config_id: ConfigId,
  limit: z._default(digits('limit', 1, limits.compiled_page_max), limits.compiled_page_size),
  offset: z._default(digits('offset', 0, 10_000_000), 0),
  ...filters,
})
export type CompiledDataQuery = z.output<typeof CompiledDataQuery>

/** A SKU that the master does not have, and what of the master's may be meant by it. */
export const UnmatchedSku = z.object({
  sku: z.string(),
  /** Those that have it. `mapped_to`: what the next compile takes it for; null: itself. */
  sources: z.array(z.object({ ...OneSource.shape, mapped_to: z.nullable(z.string()) })),
  /** The nearest first. `same`: but for case, dashes, blanks and leading zeros. */
  candidates: z.array(z.object({ sku: z.string(), same: z.boolean() })),
})
export type UnmatchedSku = z.infer<typeof UnmatchedSku>

const Sku = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.field_name_characters))

/** What a source calls a SKU that the master knows by another one. */
export const SkuMapping = z.object({ source_task_id: Id, sku: z.string(), master_sku: z.string() })
export type SkuMapping = z.infer<typeof SkuMapping>

const SkuParams = z.strictObject({ sku: z.string() })
/** `sku`: the record's, in place of the one in the path, in which not all can stand. */
const OfRecord = z.strictObject({ compiler_config_id: ConfigId, sku: z.optional(z.string()) })

/** Signs that no browser or proxy changes in a path. */
const SAFE_IN_PATHS = /^(?!\.{1,2}$)[\w.~ -]+$/

/** The record of a SKU as its calls name it: in the path, or beside it where it could not stand there, such as “..”. */
export const recordOf = (compiler_config_id: number, sku: string) =>
  SAFE_IN_PATHS.test(sku)
    ? { params: { sku }, query: { compiler_config_id } }
    : { params: { sku: '-' }, query: { compiler_config_id, sku } }

/** The calls on what a configuration was compiled to. */
export const compilerRecords = {
  stats: {
    method: 'GET',
    path: '/api/compiler/stats',
    summary: 'How many records a configuration has, and how many are to be looked at',
    query: OfConfig,
    reply: CompilerStats,
  },
  data: {
    method: 'GET',
    path: '/api/compiler/data',
    summary:
      'Compiled records of a configuration in their order; all filters hold together; however many, streamed',
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
      'How good the records are: the last compiles, what fills each field, what has changed since the last one',
    query: OfConfig,
    reply: CompilerQuality,
  },
  record: {
    method: 'GET',
    path: '/api/compiler/data/:sku',
    summary:
      'One compiled record: where each value came from, what the other sources say, what its flags mean',
    params: SkuParams,
    query: OfRecord,
    reply: CompiledRecordDetail,
  },
  deleteRecord: {
    method: 'DELETE',
    path: '/api/compiler/data/:sku',
    summary: 'Remove a compiled record until a compile finds its SKU again; 409 while one is under way',
    params: SkuParams,
    query: OfRecord,
    status: 204,
  },
  clear: {
    method: 'DELETE',
    path: '/api/compiler/data',
    summary: 'Remove all compiled records of a configuration; 409 while a compile is under way',
    body: z.strictObject({ compiler_config_id: Id }),
    reply: z.object({ deleted_count: z.int() }),
  },
  unmatched: {
    method: 'GET',
    path: '/api/compiler/unmatched',
    summary: 'SKUs that the master does not have, each with those of the master that may be meant by it',
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
    summary: 'What sources call SKUs that the master knows by others',
    params: IdParams,
    reply: z.array(SkuMapping),
  },
  mapSku: {
    method: 'PUT',
    path: '/api/compiler/configs/:id/sku_mappings',
    summary: 'Take a SKU of a source for one of the master from the next compile on; null takes that back',
    params: IdParams,
    body: z.strictObject({ source_task_id: Id, sku: Sku, master_sku: z.nullable(Sku) }),
    status: 204,
  },
  export: {
    method: 'GET',
    path: '/api/compiler/export',
    summary:
      'Compiled records as CSV, streamed, however many; filters as for the data; 404 while there are none',
    query: CompiledFilters,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'compiled_data.csv' },
  },
} satisfies Calls
