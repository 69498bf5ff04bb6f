import type { RowBuilder } from '../storage/row-builder.ts'

/** A record as it has been merged. It is used again for the one that follows. */
export type MergedRecord = {
  /** Counted from 1. */
  row_no: number
  /** Its number among SKUs. */
  sku: number
  /** SKU and fields. */
  cells: RowBuilder
  /** How often each numbered source has the SKU, as FOUND says it. */
  found: Uint8Array
  /** Of each field the number of the source that fills it, counted from 1; 0: it is blank. */
  field_sources: Uint8Array
  /** Of each numbered source the row, 0: it has none. */
  source_rows: Int32Array
  has_blanks: boolean
  has_errors: boolean
  is_duplicate: boolean
  /** The record of before; null: there was none. */
  before: PreviousRecord | null
}

/** A record of before by its row, whose times of eight bytes lie in `bytes`: from `created_at` and from `updated_at` on. */
export type PreviousRecord = {
  row_no: number
  bytes: Buffer
  created_at: number
  updated_at: number
  is_same: boolean
}
