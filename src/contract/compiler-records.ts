import * as z from 'zod/mini'
import type { Calls } from './calls.ts'
import { digits, Id, Moment } from './fields.ts'
import { limits } from './limits.ts'
import { CellValue } from './tables.ts'

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
    compiler_config_id: Id,
    created_at: Moment,
    updated_at: Moment,
  }),
  z.union([CellValue, z.boolean()]),
)
export type CompiledRecord = z.infer<typeof CompiledRecord>

const Flag = z.optional(z.enum(['true', 'false']))

const filters = {
  /** Anywhere in the SKU, upper and lower case alike. */
  sku_search: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  has_blanks: Flag,
  has_errors: Flag,
  is_duplicate: Flag,
}

/** Which records of a configuration, and which page of them. */
export const CompiledDataQuery = z.strictObject({
  compiler_config_id: ConfigId,
  limit: z._default(digits('limit', 1, limits.compiled_page_max), limits.compiled_page_size),
  offset: z._default(digits('offset', 0, 10_000_000), 0),
  ...filters,
})
export type CompiledDataQuery = z.output<typeof CompiledDataQuery>

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
    summary: 'Compiled records of a configuration in their order, by flags and by a part of the SKU',
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
} satisfies Calls
