import type { StoredFormat } from '../../../snapshots/column-format.ts'
import { FOUND } from '../../../snapshots/record-blocks.ts'
import { LOADING, SPREADSHEET_ERRORS } from '../../../snapshots/spreadsheet-errors.ts'
import { DUPLICATE_ROW } from '../storage/gathered-rows.ts'
import { RowBuilder } from '../storage/row-builder.ts'
import type { SkuIndex } from '../storage/sku-index.ts'
import { SourceCells } from '../storage/source-cells.ts'
import type { LoadedPartition } from '../storage/spilled-rows.ts'
import type { CompilePlan, Field, Place } from './compile-plan.ts'
import type { MergedRecord, PreviousRecord } from './merged-record.ts'
import { paddedSku, padsSkus } from './skus.ts'

const QUOTE = 0x22
const ERRORS = new Set<string>([...SPREADSHEET_ERRORS, ...LOADING].map((error) => `"${error}"`))
const MAX_ERROR_BYTES = Math.max(...[...ERRORS].map((error) => Buffer.byteLength(error)))
const SECOND_BYTES = new Uint8Array(256)
for (const error of ERRORS) SECOND_BYTES[error.charCodeAt(1)] = 1

/** What is known of a record of before: when it was created and changed, and its fingerprint, eight bytes each. */
export const PREVIOUS_LAYOUT = { created_at: 0, updated_at: 8, fingerprint: 16, bytes: 24 } as const

type Settings = {
  /** SKUs of records that stay as they are, and the rows of those, which the others follow: those that a person has removed included. */
  kept: { skus: number; rows: number }
  /** Whether the records of before have the same fields in the same places; otherwise all of them have changed. */
  same_fields: boolean
}

/** Merges the rows of each record: the first source in the order of a field that has a value fills it. */
export class Merge {
  readonly #plan: CompilePlan
  readonly #skus: SkuIndex
  readonly #settings: Settings
  readonly #cells: SourceCells
  readonly #row = new RowBuilder()
  readonly #before: PreviousRecord = {
    ...{ row_no: 0, bytes: Buffer.alloc(0), created_at: 0, updated_at: 0, is_same: false },
  }
  /** Of each source the formats of its SKUs, where any pads numbers. */
  readonly #padding: readonly (StoredFormat | null)[]
  /** Of each source its number. */
  readonly #numbers: Int32Array
  /** Of each group the source that fills it, -1: none. */
  readonly #chosen: Int32Array
  readonly #merged: MergedRecord
  /** Where the row of each source of each record begins; 0: there is none; below 0: it has more than one. The one of before stands last. */
  #places = new Int32Array(0)
  /** The numbers of those rows. */
  #rows = new Int32Array(0)

  constructor(plan: CompilePlan, skus: SkuIndex, settings: Settings) {
    this.#plan = plan
    this.#skus = skus
    this.#settings = settings
    this.#cells = new SourceCells(plan.sources.map(({ columns }) => columns.length))
    this.#padding = plan.sources.map(({ formats, sku_column }) => {
      const column = formats.of(sku_column)
      return padsSkus(column) ? column : null
    })
    this.#numbers = Int32Array.from(plan.sources, ({ number }) => number)
    this.#chosen = new Int32Array(plan.groups.length)
    this.#merged = {
      ...{ row_no: 0, sku: 0, cells: this.#row, before: null },
      found: new Uint8Array(plan.numbered.length),
      field_sources: new Uint8Array(plan.fields.length),
      source_rows: new Int32Array(plan.numbered.length),
      ...{ has_blanks: false, has_errors: false, is_duplicate: false },
    }
  }

  /** The records of some rows, one after the other. */
  *records(rows: LoadedPartition): Generator<MergedRecord> {
    this.#find(rows)
    const { kept } = this.#settings
    const count = Math.min(rows.count, this.#skus.size - kept.skus - rows.first)
    for (let n = 0; n < count; n += 1) {
      const number = kept.skus + rows.first + n
      this.#merged.row_no = kept.rows + rows.first + n + 1
      this.#merged.sku = number
      this.#begin(rows, n)
      this.#choose()
      this.#fill(number)
      this.#compare(rows, n)
      yield this.#merged
    }
  }

  #find(rows: LoadedPartition): void {
    const width = this.#plan.sources.length + 1
    const size = rows.count * width
    if (this.#places.length < size) {
      this.#places = new Int32Array(size)
      this.#rows = new Int32Array(size)
    } else this.#places.fill(0)
    rows.each(({ record, source, row_no }, start) => {
      const place = (record - rows.first) * width + source
      if (row_no === DUPLICATE_ROW) this.#places[place] = -(this.#places[place] ?? 0)
      else {
        this.#places[place] = start
        this.#rows[place] = row_no
      }
    })
  }

  #begin(rows: LoadedPartition, n: number): void {
    const { found, source_rows } = this.#merged
    const numbers = this.#numbers
    this.#cells.begin(rows.bytes)
    found.fill(0)
    source_rows.fill(0)
    this.#merged.is_duplicate = false
    const first = n * (numbers.length + 1)
    for (let source = 0; source < numbers.length; source += 1) {
      const place = this.#places[first + source] ?? 0
      const start = Math.abs(place)
      this.#cells.rows[source] = start
      if (place === 0) continue
      const number = numbers[source] ?? 0
      source_rows[number - 1] = this.#rows[first + source] ?? 0
      const times = place > 0 ? FOUND.once : FOUND.more
      found[number - 1] = this.#isPadded(source, source_rows[number - 1] ?? 0) ? times | FOUND.padded : times
      if (place < 0) this.#merged.is_duplicate = true
    }
  }

  /** Whether the SKU of a row is a number that counts as its format shows it. */
  #isPadded(source: number, row_no: number): boolean {
    const column = this.#padding[source]
    const place = { source, column: this.#plan.sources[source]?.sku_column ?? 0 }
    if (!column || !this.#cells.isNumber(place)) return false
    return paddedSku(this.#cells.json(place), column, row_no) !== null
  }

  #choose(): void {
    for (const [n, group] of this.#plan.groups.entries())
      this.#chosen[n] =
        group.find(({ places }) => places.some((place) => this.#cells.isFilled(place)))?.source ?? -1
  }

  #fill(number: number): void {
    const [cells, row, merged] = [this.#cells, this.#row, this.#merged]
    const { fields } = this.#plan
    row.begin(this.#skus, number)
    merged.has_blanks = false
    merged.has_errors = isError(row.bytes, 1, row.end)
    for (let n = 0; n < fields.length; n += 1) {
      const field = fields[n]
      const place = field && this.#winner(field)
      merged.field_sources[n] = place === undefined ? 0 : (this.#numbers[place.source] ?? 0)
      if (place === undefined) {
        merged.has_blanks ||= field?.is_required === true
        row.addNull()
        continue
      }
      const [start, end] = [cells.startOf(place), cells.endOf(place)]
      row.add(cells.bytes, start, end)
      merged.has_errors ||= isError(cells.bytes, start, end)
    }
    row.close()
  }

  #winner({ from, group }: Field): Place | undefined {
    const chosen = group === null ? undefined : this.#chosen[group]
    for (const place of from)
      if ((chosen === undefined || place.source === chosen) && this.#cells.isFilled(place)) return place
    return undefined
  }

  #compare(rows: LoadedPartition, n: number): void {
    const place = (n + 1) * (this.#numbers.length + 1) - 1
    const start = this.#places[place] ?? 0
    this.#merged.before = null
    if (start === 0) return
    const before = this.#before
    before.row_no = this.#rows[place] ?? 0
    before.bytes = rows.bytes
    before.created_at = start + PREVIOUS_LAYOUT.created_at
    before.updated_at = start + PREVIOUS_LAYOUT.updated_at
    before.is_same =
      this.#settings.same_fields && this.#isSame(rows.bytes, start + PREVIOUS_LAYOUT.fingerprint)
    this.#merged.before = before
  }

  #isSame(bytes: Buffer, at: number): boolean {
    const [high, low] = this.#row.fingerprint
    return bytes.readInt32BE(at) === high && bytes.readInt32BE(at + 4) === low
  }
}

const isError = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === QUOTE &&
  SECOND_BYTES[bytes[start + 1] ?? 0] === 1 &&
  end - start <= MAX_ERROR_BYTES &&
  ERRORS.has(bytes.toString('utf8', start, end))
