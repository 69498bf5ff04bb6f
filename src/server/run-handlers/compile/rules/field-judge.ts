import type { FieldCheck, RuleStep } from '../../../../contract/field-checks/field-checks.ts'
import {
  type CheckTest,
  isBlankValue,
  normalised,
  numberOf,
  testOf,
} from '../../../../contract/field-checks/field-rules.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { linearPattern } from '../../../platform/linear-pattern.ts'
import { MedianOf } from '../../../platform/median.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import type { SourceCells } from '../storage/source-cells.ts'
import type { ColumnRef, CompilePlan, PlannedCheck } from './compile-plan.ts'
import { RepeatedValues } from './repeated-values.ts'

/** A record that fails a check. */
export type Failure = { check_no: number; row_no: number; is_error: boolean }

type Tested = PlannedCheck & {
  test: CheckTest
  is_error: boolean
  repeated: RepeatedValues | null
  median: MedianOf | null
}

type Record = {
  cells: SourceCells
  refs: readonly (ColumnRef | undefined)[]
  row_no: number
  /** Values that people set, by field. */
  overridden: ReadonlyMap<number, CellValue>
}
type PreviousCells = () => readonly CellValue[] | null

/** Normalises and checks the fields of one record after the other. */
export class FieldJudge {
  /** Records that fail, found with the current record: the record itself, and earlier ones that have the same value. */
  readonly failures: Failure[] = []
  /** By field; dense, because it is read for every cell. */
  readonly #steps: readonly (readonly RuleStep[] | undefined)[]
  readonly #checks: readonly Tested[]
  /** Fields whose values are decoded. */
  readonly #watched: readonly number[]
  /** For each source and column whether a number is a date. */
  readonly #dates: readonly (readonly boolean[])[]
  readonly #values: CellValue[] = []
  /** 1: the value of the field differs from its cell. */
  readonly #isChanged: Uint8Array
  /** Fields of the current record whose value is kept out, and what they have instead. */
  readonly #keptOut = new Map<number, 'blank' | 'last_good'>()
  /** Overridden fields of the current record whose value fails a check that would keep it out. */
  readonly refused = new Set<number>()
  /** Index of each field in the previous records, behind their SKU; -1: they do not have it. */
  readonly #before: readonly number[]

  constructor(plan: CompilePlan, previous_fields: readonly string[]) {
    const { steps = {}, checks = [], lists = {} } = plan.judging ?? {}
    this.#steps = plan.fields.map((_, field) => steps[field])
    this.#isChanged = new Uint8Array(plan.fields.length)
    const tools = {
      matcher: (pattern: string) => linearPattern(pattern) ?? (() => true),
      list: (check: FieldCheck) =>
        lists[checks.find((one) => one.check === check)?.check_no ?? -1]?.values ?? null,
    }
    this.#checks = checks.map((planned) => ({
      ...planned,
      test: testOf(planned.check, tools),
      is_error: planned.check.severity === 'error',
      repeated: planned.check.kind === 'unique' ? new RepeatedValues() : null,
      median: planned.check.kind === 'median' ? new MedianOf() : null,
    }))
    this.#watched = [
      ...new Set(checks.flatMap(({ field, other }) => (other === null ? field : [field, other]))),
    ]
    this.#dates = plan.sources.map(({ columns, formats }) =>
      columns.map((_, n) => isDateColumn(formats.of(n))),
    )
    this.#before = plan.fields.map(({ name }) => previous_fields.indexOf(name))
  }

  /** Begins a record. */
  begin(): void {
    this.failures.length = 0
    this.#isChanged.fill(0)
    if (this.refused.size > 0) this.refused.clear()
  }

  /** Normalises a filled cell that may fill a field. False: it is blank then, so the next source may fill the field. */
  accepts(field: number, cells: SourceCells, ref: ColumnRef): boolean {
    const steps = this.#steps[field]
    if (steps === undefined) return true
    const raw = cells.value(ref)
    const value = normalised(raw, steps)
    if (isBlankValue(value)) return false
    this.#values[field] = value
    this.#isChanged[field] = value === raw ? 0 : 1
    return true
  }

  /** The normalised value of an existing cell. */
  normalise(field: number, cells: SourceCells, ref: ColumnRef): CellValue {
    const steps = this.#steps[field]
    const raw = cells.value(ref)
    return steps === undefined ? raw : normalised(raw, steps)
  }

  /** The normalised value of the cell that fills a field; null: it is blank. */
  chosen(field: number, cells: SourceCells, ref: ColumnRef | undefined): CellValue {
    if (ref === undefined) return null
    return this.#steps[field] === undefined ? cells.value(ref) : (this.#values[field] ?? null)
  }

  /** Checks the fields of a record, whose cells have been chosen. An overridden value is never kept out. */
  check(record: Record, previous: PreviousCells): void {
    this.#decode(record)
    for (const [field, value] of record.overridden) this.#values[field] = value
    for (const { check, check_no, field, other, test, is_error, repeated, median } of this.#checks) {
      const value = this.#values[field] ?? null
      const ref = record.refs[field]
      const is_date = ref !== undefined && (this.#dates[ref.source]?.[ref.column] ?? false)
      if (repeated !== null) {
        for (const row_no of repeated.add(value, record.row_no))
          this.failures.push({ check_no, row_no, is_error })
      } else if (median !== null) median.add(numberOf(value))
      else if (!test({ value, is_date }, other === null ? null : (this.#values[other] ?? null)))
        this.failures.push({ check_no, row_no: record.row_no, is_error })
      else continue
      if (check.keep_out === 'none') continue
      if (record.overridden.has(field)) this.refused.add(field)
      else if (this.#keptOut.get(field) !== 'blank') this.#keptOut.set(field, check.keep_out)
    }
    if (this.#keptOut.size > 0) this.#replace(previous)
  }

  /** JSON of the value that a field has instead of its cell; undefined: it has the cell. */
  replaced(field: number): string | undefined {
    return this.#isChanged[field] === 1 ? JSON.stringify(this.#values[field] ?? null) : undefined
  }

  /** Medians by the number of their check; null: no record has a number. */
  medians(): Map<number, number | null> {
    return new Map(
      this.#checks.flatMap(({ check_no, median }) => (median === null ? [] : [[check_no, median.value()]])),
    )
  }

  #decode({ cells, refs }: Record): void {
    for (const field of this.#watched) {
      const ref = refs[field]
      if (ref === undefined) this.#values[field] = null
      else if (this.#steps[field] === undefined) this.#values[field] = cells.value(ref)
    }
  }

  #replace(previous: PreviousCells): void {
    for (const [field, instead] of this.#keptOut) {
      this.#values[field] = instead === 'blank' ? null : this.#lastGood(field, previous())
      this.#isChanged[field] = 1
    }
    this.#keptOut.clear()
  }

  /** The value of the previous record, if it passes the checks of the field; else null. */
  #lastGood(field: number, before: readonly CellValue[] | null): CellValue {
    const at = this.#before[field] ?? -1
    const value = at < 0 ? null : (before?.[at + 1] ?? null)
    const isGood = this.#checks.every(
      ({ field: checked, check, test, other }) =>
        checked !== field ||
        check.keep_out === 'none' ||
        test({ value, is_date: true }, other === null ? null : (this.#values[other] ?? null)),
    )
    return isGood ? value : null
  }
}

const isDateColumn = ({ format, runs }: StoredFormat) =>
  [format, ...(runs ?? []).map((run) => run.format)].some((one) => one?.type.startsWith('DATE') ?? false)
