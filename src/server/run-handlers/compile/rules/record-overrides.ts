import { isBlankValue } from '../../../../contract/field-checks/field-rules.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { isErrorCell } from '../storage/json-row.ts'
import type { SkuIndex } from '../storage/sku-index.ts'
import { skuBytes } from '../storage/sku-reader.ts'
import type { SourceCells } from '../storage/source-cells.ts'
import type { ColumnRef, CompilePlan, PlannedOverride, PlannedOverrides } from './compile-plan.ts'
import type { FieldJudge } from './field-judge.ts'

/** What a compile found about an override of a record. */
export type OverrideFinding = {
  id: number
  row_no: number
  field: number
  /** The record would have the same value without it. */
  is_same: boolean
  /** What each merged source has, by the id of its task. Sources without a value are omitted. */
  observed: Record<string, CellValue>
}

const NONE: readonly PlannedOverride[] = []

type Chosen = {
  cells: SourceCells
  refs: readonly (ColumnRef | undefined)[]
  judge: FieldJudge | null
}

/** The values that people set, for one record after the other. */
export class RecordOverrides {
  readonly findings: OverrideFinding[] = []
  /** Values of the current record by field. */
  readonly values = new Map<number, CellValue>()
  readonly #plan: CompilePlan
  /** By the number of their SKU. */
  readonly #bySku = new Map<number, readonly PlannedOverride[]>()
  #current = NONE
  /** What each field of `#current` would have without the override. */
  #winners: CellValue[] = []

  /** `skus`: all SKUs of the sources. Overrides of other SKUs wait. */
  constructor(plan: CompilePlan, { by_sku }: PlannedOverrides, skus: SkuIndex) {
    this.#plan = plan
    for (const [sku, overrides] of by_sku) {
      const bytes = skuBytes(sku)
      const number = skus.find(bytes, 0, bytes.length)
      if (number >= 0) this.#bySku.set(number, overrides)
    }
  }

  /** Begins a record, whose cells have been chosen and not checked yet. */
  begin(sku: number, { cells, refs, judge }: Chosen): void {
    if (this.values.size > 0) this.values.clear()
    this.#current = this.#bySku.get(sku) ?? NONE
    if (this.#current === NONE) return
    for (const { field, value } of this.#current) this.values.set(field, value)
    this.#winners = this.#current.map(({ field }) => {
      const ref = refs[field]
      return judge ? judge.chosen(field, cells, ref) : ref === undefined ? null : cells.value(ref)
    })
  }

  /** JSON of the value of a field; undefined: it is not overridden. */
  json(field: number): string | undefined {
    return this.values.size === 0 ? undefined : this.#at(field)?.json
  }

  /** Whether the value of a field is a spreadsheet error. */
  isError(field: number): boolean {
    const json = this.json(field)
    if (json === undefined) return false
    const bytes = Buffer.from(json)
    return isErrorCell(bytes, 0, bytes.length)
  }

  /** Compares the values with those of the sources, after they have been checked. */
  compare(row_no: number, { cells, judge }: Chosen): void {
    for (const [n, { id, field, value }] of this.#current.entries()) {
      const winner = this.#winners[n] ?? null
      const is_equal = winner === value || (isBlankValue(winner) && isBlankValue(value))
      this.findings.push({
        ...{ id, row_no, field },
        // A value that fails would be kept out if it were the source's.
        is_same: is_equal && !judge?.refused.has(field),
        observed: this.#observed(field, cells),
      })
    }
  }

  #at(field: number): PlannedOverride | undefined {
    return this.#current.find((one) => one.field === field)
  }

  #observed(field: number, cells: SourceCells): Record<string, CellValue> {
    const observed: Record<string, CellValue> = {}
    for (const ref of this.#plan.fields[field]?.from ?? []) {
      const task_id = this.#plan.sources[ref.source]?.task_id
      const value = cells.has(ref) ? cells.value(ref) : null
      if (task_id !== undefined && !isBlankValue(value)) observed[task_id] = value
    }
    return observed
  }
}
