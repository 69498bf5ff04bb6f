import { limits } from '../../../contract/limits.ts'
import type { Row } from '../../../contract/tables.ts'
import { parseRow, rowText, storableName } from '../../connectors/row-json.ts'
import { RunFailure } from '../../engine/types.ts'
import { RunningHash } from '../../snapshots/running-hash.ts'
import type { SnapshotWriter } from '../../snapshots/snapshot-writer.ts'
import { CELL_CHARACTERS, CellNotes } from '../cell-notes.ts'
import { count } from '../messages.ts'
import { plainRow } from '../plain-row.ts'
import type { Stored } from './checkpoint.ts'

const MAX_ROW_BYTES = 5_000_000

/** `rows_above`: rows above the first data row, for row numbers in messages. */
type Limits = { title: string; max_rows: number; rows_above?: number }

/** Checks the rows that an origin returns and writes them to a snapshot. Throws RunFailure past a limit. */
export class IncomingRows {
  readonly #writer: Pick<SnapshotWriter, 'add'>
  readonly #limits: Limits
  /** Hash of the rows so far. */
  readonly hash: RunningHash
  readonly notes: CellNotes
  rows: number
  /** Columns of the widest row. */
  columns: number

  /** `stored`: the rows that the snapshot has from a checkpoint. */
  constructor(writer: Pick<SnapshotWriter, 'add'>, stored: Stored | null, limits: Limits) {
    this.#writer = writer
    this.#limits = limits
    this.hash = new RunningHash(stored?.hash)
    this.notes = new CellNotes(stored?.notes)
    this.rows = stored?.rows ?? 0
    this.columns = stored?.columns ?? 0
  }

  add(bytes: Uint8Array): void {
    const { title, max_rows } = this.#limits
    const number = this.rows + 1
    if (number > max_rows)
      throw refused(`${title} has more than ${count(max_rows, 'row')}, the limit of this task.`)
    if (bytes.length > MAX_ROW_BYTES) {
      const size = `${Math.round(bytes.length / 1_000_000).toLocaleString('en')} MB`
      throw refused(
        `Row ${(number + (this.#limits.rows_above ?? 0)).toLocaleString('en')} of ${title} has ${size}; 5 MB are the most.`,
      )
    }
    const plain = bytes.length <= CELL_CHARACTERS ? plainRow(bytes) : null
    if (plain) this.#write(number, bytes, plain.columns)
    else this.#addParsed(number, Buffer.from(bytes).toString('utf8'))
  }

  #addParsed(number: number, json: string): void {
    const row = parseRow(json)
    // Serialised again, so that equal values have equal bytes: hashes and compiles compare bytes.
    this.#write(number, rowText(this.notes.take(row, number)), row.length)
  }

  #write(number: number, row: string | Uint8Array, columns: number): void {
    this.#writer.add(number, row)
    this.hash.push(row)
    this.rows = number
    this.columns = Math.max(this.columns, columns)
  }

  /** The header, extended by blank names to the width of the widest row. */
  header(names: Row): Row {
    const columns = Math.max(names.length, this.columns)
    if (columns > limits.source_columns_max) {
      const max = count(limits.source_columns_max, 'column')
      throw refused(`${this.#limits.title} has ${count(columns, 'column')}; ${max} are the most.`)
    }
    return [...names.map(storable), ...Array.from({ length: columns - names.length }, () => null)]
  }
}

const storable = (name: Row[number]) => (typeof name === 'string' ? storableName(name) : name)

const refused = (message: string) => new RunFailure(message, { retryable: false })
