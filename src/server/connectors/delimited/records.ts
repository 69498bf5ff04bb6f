import { limits } from '../../../contract/limits.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { type Dialect, SAMPLE_BYTES } from '../../platform/csv/dialect.ts'
import { OriginFailure } from '../connector.ts'
import { type Records, RecordWriter } from './record-writer.ts'

const PIECE_BYTES = 65_536

/**
 * The records of a CSV file in UTF-8, a batch for each piece of it; empty lines are left out. `dialectOf` is called with the beginning
 * of the file. Throws OriginFailure for quotes that do not close and for a record that is too long. Written by hand, from bytes of CSV
 * to bytes of JSON: cells that become strings in between take ten times as long.
 */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  dialectOf: (beginning: string) => Dialect,
): AsyncGenerator<Records> {
  const file = new CsvFile(dialectOf)
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const records = file.feed(piece.subarray(at, at + PIECE_BYTES))
      if (records.rows.length > 0) yield records
    }
  yield file.end()
}

const NONE: Records = { rows: [], cells: [], stray: [] }

class CsvFile {
  readonly #dialectOf: (beginning: string) => Dialect
  #dialect: Dialect | undefined
  #writer: RecordWriter | undefined
  /** What has come and is part of no record yet. */
  #rest: Uint8Array[] = []
  #size = 0
  /** Bytes that are worth another look: twice what the last one left, so that a long record is not gone through at each piece. */
  #enough = SAMPLE_BYTES
  #records = 0

  constructor(dialectOf: (beginning: string) => Dialect) {
    this.#dialectOf = dialectOf
  }

  /** The records that are complete now. */
  feed(piece: Uint8Array): Records {
    this.#rest.push(piece)
    this.#size += piece.length
    if (this.#size < this.#enough) return NONE
    const records = this.#take()
    if (this.#size > limits.csv_record_characters && this.#restText().length > limits.csv_record_characters)
      throw new OriginFailure('invalid', messages.csv_record_long(this.#records + 1))
    this.#enough = 2 * this.#size
    return records
  }

  end(): Records {
    const { newline } = this.#begin()
    this.#rest.push(Buffer.from(newline))
    const records = this.#take()
    if (this.#size > 0) throw new OriginFailure('invalid', messages.csv_quote_open(this.#records + 1))
    return records
  }

  /** Leaves out what is before the header, once the dialect is known. */
  #begin(): Dialect {
    if (this.#dialect) return this.#dialect
    const beginning = this.#restText()
    this.#dialect = this.#dialectOf(beginning)
    const { skipped } = this.#dialect
    this.#rest = [Buffer.concat(this.#rest).subarray(skipped)]
    return this.#dialect
  }

  #take(): Records {
    this.#writer ??= new RecordWriter(this.#begin())
    const [only = new Uint8Array()] = this.#rest
    const bytes = this.#rest.length === 1 ? only : Buffer.concat(this.#rest)
    const { records, end } = this.#writer.write(bytes)
    this.#records += records.rows.length
    this.#rest = [bytes.subarray(end)]
    this.#size = bytes.length - end
    return records
  }

  #restText(): string {
    return Buffer.concat(this.#rest).toString('utf8')
  }
}
