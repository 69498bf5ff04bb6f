import type { FieldCheck, RuleStep } from '../../../../contract/field-checks/field-checks.ts'
import type { CellValue } from '../../../../contract/tables.ts'
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

/** A field, the columns that may fill it in order of precedence, and its group's index in `CompilePlan.groups`. */
export type Field = { name: string; is_required: boolean; from: ColumnRef[]; group: number | null }

/**
 * Fields that are filled from one source together: the sources in order of precedence, each with the columns of these fields (`places`).
 * The plan is hashed and the hash is stored (same-merge.ts), so properties keep their names.
 */
export type Group = { source: number; places: ColumnRef[] }[]

/** A source as referenced by records: its position in `CompilePlan.numbered`, counted from 1, is its number. */
export type NumberedSource = { task_id: number; name: string }

/** What is merged, and how. */
export type CompilePlan = {
  /** In order of precedence; the first is the master. */
  sources: (SourceVersion & { sku_column: number; number: number })[]
  fields: Field[]
  groups: Group[]
  /** All sources that records may reference, in the order of their numbers. */
  numbered: NumberedSource[]
  /** Omitted if no field is checked or normalised. */
  judging?: {
    /** Steps of normalisation by field. */
    steps: Record<number, readonly RuleStep[]>
    checks: PlannedCheck[]
    /** Values of `one_of_column` checks, by the number of their check; missing: unknown. */
    lists: Record<number, CheckList>
  }
  /** Omitted if there are none. */
  overrides?: PlannedOverrides
  /** Omitted if there are none. */
  decisions?: PlannedDecisions
  /** Settings that name a field or column that no source has. */
  warnings: PlanWarning[]
}

/** A check, its number in the settings, and the fields that it reads. */
export type PlannedCheck = { check: FieldCheck; check_no: number; field: number; other: number | null }

/** A value that a person set for a field of a SKU. `value`: what the record gets; `json`: the same as JSON. */
export type PlannedOverride = { id: number; field: number; value: CellValue; json: string }

/** `hash`: of all overrides, because the maps are not hashed with the plan. */
export type PlannedOverrides = { hash: string; by_sku: ReadonlyMap<string, readonly PlannedOverride[]> }

/** Rules for fields about which sources disagree. `hash`: of all of them, because the maps are not hashed with the plan. */
export type PlannedDecisions = {
  hash: string
  /** By what disagrees (disagreementKey): the text of the value that is used. */
  by_texts: ReadonlyMap<string, { id: number; text: string }>
  /** By field: the preferred source, by its index in `CompilePlan.sources`. */
  by_source: Record<number, { id: number; source: number }>
}

/** Values of a source's column in one version of its rows. */
export type CheckList = { snapshot_id: number; values: ReadonlySet<string> }

/** `subject` identifies the warning: users' acknowledgements refer to it, so it stays as it is when the message changes. */
export type PlanWarning = { subject: string; message: string }

/** Layout that the plan must keep for records copied unchanged: the order of their fields and the numbers of their sources. */
export type UnchangedLayout = { fields: readonly string[]; numbered: readonly NumberedSource[] }
