import type { TableFormats } from '../../../snapshots/column-format.ts'

/** The version of a source's rows that a compile reads. */
export type SourceVersion = {
  task_id: number
  name: string
  snapshot_id: number
  columns: string[]
  /** Number formats by column. */
  formats: TableFormats
  row_count: number
  /** SKUs of this source, each with the master SKU that it is matched to. */
  sku_mappings: Record<string, string>
}

/** A column of a source, by its index in `CompilePlan.sources`. */
export type ColumnRef = { source: number; column: number }

/** A field, the columns that may fill it in the order in which they win, and its group's index in `CompilePlan.groups`. */
export type Field = { name: string; is_required: boolean; from: ColumnRef[]; group: number | null }

/**
 * Fields that are filled from one source together: by source, in the order in which sources win, the columns of these fields. The plan is
 * hashed (same-merge.ts), so properties keep their names.
 */
export type Group = { source: number; places: ColumnRef[] }[]

/** A source as records name it: its position in `CompilePlan.numbered`, counted from 1, is its number. */
export type NumberedSource = { task_id: number; name: string }

/** What is merged, and how. */
export type CompilePlan = {
  /** In the order in which they win; the first is the master. */
  sources: (SourceVersion & { sku_column: number; number: number })[]
  fields: Field[]
  groups: Group[]
  /** All sources that records may name, in the order of their numbers. */
  numbered: NumberedSource[]
  /** Settings that name a field or column that no source has. */
  warnings: string[]
}

/** What records that are copied unchanged require of a plan: their fields keep their order, their sources keep their numbers. */
export type UnchangedLayout = { fields: readonly string[]; numbered: readonly NumberedSource[] }
