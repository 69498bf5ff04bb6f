import * as z from 'zod/mini'
import { CellValue } from '../tables.ts'

/** A column of a source. */
const SampledColumn = z.object({
  name: z.string(),
  /** The first values that are not blank. */
  values: z.array(CellValue),
  /** A number that is written as text, such as "1.234,50", of a column that has some; null: none. */
  number_as_text: z.nullable(z.string()),
})
export type SampledColumn = z.infer<typeof SampledColumn>

/** Keys of the rows that pass the filter. */
const SampledKeys = z.object({
  /** Rows in which all key columns are blank. */
  blank: z.int(),
  /** Rows whose key another row has, too, and such a key; null: none. */
  repeated: z.int(),
  example: z.nullable(z.string()),
})
export type SampledKeys = z.infer<typeof SampledKeys>

/** Tabs that a split makes of the rows that pass the filter. */
const SampledTabs = z.object({
  /** Values of the column, as far as one tab each is allowed. */
  values: z.array(z.string()),
  count: z.int(),
  /** Rows without a value. */
  blank: z.int(),
})
export type SampledTabs = z.infer<typeof SampledTabs>

/** What a task would copy of a source, by its first rows. */
export const RowSample = z.object({
  columns: z.array(SampledColumn),
  /** Why a run with these settings would be refused; null: it would not. */
  problem: z.nullable(z.string()),
  /** Rows that were counted, and those of them that pass the filter. */
  rows: z.int(),
  passed: z.int(),
  /** Whether the source has more rows than were counted. */
  is_count_partial: z.boolean(),
  /** Whether the source has more rows than those by which everything else is found out. */
  is_partial: z.boolean(),
  /** Sources whose rows were counted. */
  sources: z.int(),
  /** The header row and the first rows of the copy. */
  header: z.array(CellValue),
  first: z.array(z.array(CellValue)),
  /** Null: the task has no key columns, or the source lacks one. */
  row_keys: z.nullable(SampledKeys),
  /** Null: the task is not split, or the source lacks the column. */
  tabs: z.nullable(SampledTabs),
})
export type RowSample = z.infer<typeof RowSample>
