import type { TableFormats } from '../../../snapshots/column-format.ts'

/** A version of a source's rows that a compile reads: its columns by their names, and SKUs that are known by another one. */
export type SourceVersion = {
  task_id: number
  name: string
  snapshot_id: number
  columns: string[]
  /** How each column shows its numbers. */
  formats: TableFormats
  row_count: number
  sku_mappings: Record<string, string>
}

/** Where a value is: the source's place in `CompilePlan.sources`, and its column. */
export type Place = { source: number; column: number }

/** A field, the places of its values in the order in which they win, and its group's place in `CompilePlan.groups`. */
export type Field = { name: string; is_required: boolean; from: Place[]; group: number | null }

/** Fields that come from one source: by source, in the order in which they win, the places of all of them. */
export type Group = { source: number; places: Place[] }[]

/** A source as records know it: by a number that counts from 1. */
export type NumberedSource = { task_id: number; name: string }

/** What is merged: sources by who wins, the first being the master, each with the column of its SKU and its number. */
export type CompilePlan = {
  sources: (SourceVersion & { sku_column: number; number: number })[]
  fields: Field[]
  groups: Group[]
  /** All sources that records may name, in the order of their numbers. */
  numbered: NumberedSource[]
  /** Settings that name what no source has. */
  warnings: string[]
}

/** Records that stay: their fields keep their places, and their sources their numbers. */
export type Kept = { fields: readonly string[]; numbered: readonly NumberedSource[] }
