import type { CellValue } from '../../../../contract/tables.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import { FOUND } from '../../../snapshots/record-blocks.ts'
import { paddedSku, padsSkus } from '../../../snapshots/sku.ts'
import { RowBuilder } from '../storage/row-builder.ts'
import { RowsByRecord } from '../storage/rows-by-record.ts'
import type { SkuIndex } from '../storage/sku-index.ts'
import { SourceCells } from '../storage/source-cells.ts'
import type { LoadedPartition } from '../storage/spilled-rows.ts'
import type { ColumnRef, CompilePlan, Field } from './compile-plan.ts'
import { Disagreements } from './disagreements.ts'
import { FieldJudge } from './field-judge.ts'
import type { MergedRecord } from './merged-record.ts'
import { type OverrideFinding, RecordOverrides } from './record-overrides.ts'

type Settings = {
  /**
   * Records that are copied unchanged: how many SKUs they have, and how many rows (records that a user removed keep their row). New
   * records follow them.
   */
  unchanged: { skus: number; rows: number }
  /** Whether the previous version has the same fields in the same order; otherwise every record counts as changed. */
  same_fields: boolean
  /** Fields of the previous records, for checks that keep the last good value. */
  previous_fields?: readonly string[]
}

const NOTHING: ReadonlyMap<number, CellValue> = new Map()

/**
 * Merges the source rows of each SKU into one record:
 *
 * - A field takes its value from the first source in the field's order that has one. The master comes first, unless the field has a
 *   priority of its own. A blank master cell is filled from the next source.
 * - A cell is blank if it is null, an empty text or a text of white space only; 0 and false are values.
 * - The fields of a group come from one source: the first in the group's order that has a value in any of them.
 * - Where sources disagree, what a person decided about these values is used; a preferred source comes first.
 * - If a source has several rows for a SKU, its first row is merged (GatheredRows selects it) and the record is flagged as a duplicate.
 * - A value that a person set for a field wins over all sources. It is checked, but neither normalised nor kept out.
 *
 * A compile that does not overwrite copies the previous records unchanged. GatheredRows then skips their SKUs, so only new ones are
 * merged here.
 */
export class Merge {
  readonly #plan: CompilePlan
  readonly #skus: SkuIndex
  readonly #settings: Settings
  readonly #rows: RowsByRecord
  readonly #cells: SourceCells
  readonly #row = new RowBuilder()
  /** For each source the formats of its SKU column if any of them pads numbers. */
  readonly #padding: readonly (StoredFormat | null)[]
  /** For each group the index of the source that fills it; -1: none. */
  readonly #groupSources: Int32Array
  readonly #merged: MergedRecord
  /** Null: no field is checked or normalised. */
  readonly #judge: FieldJudge | null
  /** Null: there are none. */
  readonly #overrides: RecordOverrides | null
  /** Where the sources of the merged records disagree. */
  readonly disagreements: Disagreements
  /** For each field the cell that fills it; undefined: it is blank. */
  readonly #refs: (ColumnRef | undefined)[]

  constructor(plan: CompilePlan, skus: SkuIndex, settings: Settings) {
    this.#plan = plan
    this.#skus = skus
    this.#settings = settings
    this.#rows = new RowsByRecord(plan.sources.length)
    this.#cells = new SourceCells(plan.sources.map(({ columns }) => columns.length))
    this.#padding = plan.sources.map(({ formats, sku_column }) => {
      const column = formats.of(sku_column)
      return padsSkus(column) ? column : null
    })
    this.#groupSources = new Int32Array(plan.groups.length)
    this.#judge = plan.judging === undefined ? null : new FieldJudge(plan, settings.previous_fields ?? [])
    this.#refs = plan.fields.map(() => undefined)
    this.#overrides = plan.overrides === undefined ? null : new RecordOverrides(plan, plan.overrides, skus)
    this.disagreements = new Disagreements(plan)
    this.#merged = {
      row_no: 0,
      sku: 0,
      cells: this.#row,
      found: new Uint8Array(plan.numbered.length),
      field_sources: new Uint8Array(plan.fields.length),
      source_rows: new Int32Array(plan.numbered.length),
      has_blanks: false,
      has_errors: false,
      is_duplicate: false,
      failures: this.#judge?.failures ?? [],
      previous: null,
    }
  }

  /** What was found about the overrides of the merged records. */
  get overrides(): readonly OverrideFinding[] {
    return this.#overrides?.findings ?? []
  }

  /** Medians of the merged records by the number of their check. */
  get medians(): Map<number, number | null> {
    return this.#judge?.medians() ?? new Map()
  }

  /** Merges the records of a partition, in the order of their SKUs' numbers. */
  *records(partition: LoadedPartition): Generator<MergedRecord> {
    this.#rows.load(partition)
    const { unchanged } = this.#settings
    const count = Math.min(partition.count, this.#skus.size - unchanged.skus - partition.first)
    for (let n = 0; n < count; n += 1) {
      const record = partition.first + n
      this.#merged.row_no = unchanged.rows + record + 1
      this.#merged.sku = unchanged.skus + record
      this.#cells.begin(partition.bytes)
      this.#findSources(n)
      this.#chooseGroupSources()
      this.#chooseCells()
      const chosen = { cells: this.#cells, refs: this.#refs, judge: this.#judge }
      this.disagreements.settle(chosen)
      this.#overrides?.begin(this.#merged.sku, chosen)
      this.disagreements.add(this.#merged.row_no, this.#overrides?.values ?? NOTHING)
      this.#judge?.check(
        {
          cells: this.#cells,
          refs: this.#refs,
          row_no: this.#merged.row_no,
          overridden: this.#overrides?.values ?? NOTHING,
        },
        () => this.#rows.previous(n)?.cells() ?? null,
      )
      this.#overrides?.compare(this.#merged.row_no, chosen)
      this.#fillFields()
      this.#compareWithPrevious(n)
      yield this.#merged
    }
  }

  #findSources(n: number): void {
    const merged = this.#merged
    merged.found.fill(0)
    merged.source_rows.fill(0)
    merged.is_duplicate = false
    const { sources } = this.#plan
    for (let source = 0; source < sources.length; source += 1) {
      const offset = this.#rows.offset(n, source)
      this.#cells.offsets[source] = offset
      if (offset === 0) continue
      const index = (sources[source]?.number ?? 0) - 1
      const row_no = this.#rows.rowNo(n, source)
      const isDuplicate = this.#rows.isDuplicate(n, source)
      const padded = this.#isPadded(source, row_no) ? FOUND.padded : 0
      merged.source_rows[index] = row_no
      merged.found[index] = (isDuplicate ? FOUND.more : FOUND.once) | padded
      merged.is_duplicate ||= isDuplicate
    }
  }

  /** Whether the SKU of a row is a number that its format pads with zeros. */
  #isPadded(source: number, row_no: number): boolean {
    const column = this.#padding[source]
    if (!column) return false
    const ref = { source, column: this.#plan.sources[source]?.sku_column ?? 0 }
    return this.#cells.isNumber(ref) && paddedSku(this.#cells.json(ref), column, row_no) !== null
  }

  #chooseGroupSources(): void {
    for (const [n, group] of this.#plan.groups.entries()) {
      const filled = group.find(({ places }) => places.some((ref) => this.#cells.isFilled(ref)))
      this.#groupSources[n] = filled?.source ?? -1
    }
  }

  #chooseCells(): void {
    this.#judge?.begin()
    for (const [n, field] of this.#plan.fields.entries()) this.#refs[n] = this.#selectCell(field, n)
  }

  #fillFields(): void {
    const { fields, sources } = this.#plan
    const merged = this.#merged
    this.#row.begin(this.#skus, merged.sku)
    merged.has_blanks = false
    merged.has_errors = this.#row.isErrorSku()
    for (let n = 0; n < fields.length; n += 1) {
      const cell = this.#refs[n]
      const replaced = this.#overrides?.json(n) ?? this.#judge?.replaced(n)
      if (replaced === undefined && cell !== undefined) {
        merged.field_sources[n] = sources[cell.source]?.number ?? 0
        merged.has_errors ||= this.#cells.isError(cell)
        this.#row.addCell(this.#cells, cell)
      } else if (replaced === undefined || replaced === 'null') {
        merged.field_sources[n] = 0
        merged.has_blanks ||= fields[n]?.is_required === true
        this.#row.addNull()
      } else {
        merged.field_sources[n] = sources[cell?.source ?? this.#sourceOf(n)]?.number ?? 0
        merged.has_errors ||= this.#overrides?.isError(n) ?? false
        this.#row.addValue(replaced)
      }
    }
    this.#row.close()
  }

  /** The source that a blank field would be filled from: the first that has the SKU and the column. */
  #sourceOf(field: number): number {
    const from = this.#plan.fields[field]?.from ?? []
    return (from.find(({ source }) => (this.#cells.offsets[source] ?? 0) > 0) ?? from[0])?.source ?? 0
  }

  /** The cell that fills a field; undefined: the field is blank. */
  #selectCell({ from, group }: Field, field: number): ColumnRef | undefined {
    const groupSource = group === null ? undefined : this.#groupSources[group]
    for (const ref of from)
      if (
        (groupSource === undefined || ref.source === groupSource) &&
        this.#cells.isFilled(ref) &&
        (this.#judge === null || this.#judge.accepts(field, this.#cells, ref))
      )
        return ref
    return undefined
  }

  #compareWithPrevious(n: number): void {
    const previous = this.#rows.previous(n)
    if (previous !== null)
      previous.is_same = this.#settings.same_fields && previous.hasFingerprint(this.#row.fingerprint)
    this.#merged.previous = previous
  }
}
