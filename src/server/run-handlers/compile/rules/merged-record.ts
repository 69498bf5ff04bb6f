import type { RowBuilder } from '../storage/row-builder.ts'
import type { PreviousRecord } from '../storage/rows-by-record.ts'
import type { Failure } from './field-judge.ts'

/** A merged record. The object is reused for the next record. */
export type MergedRecord = {
  /** Counted from 1. */
  row_no: number
  /** Index of its SKU in the SKU index. */
  sku: number
  /** SKU and fields. */
  cells: RowBuilder
  /** For each numbered source whether it has the SKU: flags of FOUND. */
  found: Uint8Array
  /** For each field the number of the source that fills it, counted from 1; 0: blank. */
  field_sources: Uint8Array
  /** For each numbered source its row number; 0: none. */
  source_rows: Int32Array
  has_blanks: boolean
  has_errors: boolean
  is_duplicate: boolean
  /** Failed checks that were found with this record; some are of earlier records. */
  failures: readonly Failure[]
  /** The record with the same SKU in the previous version; null: it is new. */
  previous: PreviousRecord | null
}
