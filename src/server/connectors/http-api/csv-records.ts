import { limits } from '../../../contract/limits.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { type Dialect, dialectOf } from './csv-dialect.ts'
import { type Records, RecordWriter } from './record-writer.ts'

/** Enough of a file to tell how its cells and lines are divided. */
const SAMPLE_BYTES = 10_000
const PIECE_BYTES = 65_536

/**
 * The records of a CSV file in UTF-8, a batch for each piece of it; empty lines are left out. Throws OriginFailure for quotes that do
 * not close and for a record that is too long. Written by hand, from bytes of CSV to bytes of JSON: cells that become strings in
 * between take ten times as long.
 */
export async function* csvRecords(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Records> {
  const file = new CsvFile()
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const records = file.feed(piece.subarray(at, at + PIECE_BYTES))
      if (records.rows.length > 0) yield records
    }
  yield file.end()
}

class CsvFile {
  #dialect: Dialect | undefined
  #writer: RecordWriter | undefined
  /** What has come and is part of no record yet. */
  #rest: Uint8Array[] = []
  #size = 0
  /** Bytes that are worth another look: twice what the last one left, so that a long record is not gone through at each piece. */
  #enough = SAMPLE_BYTES
  #records = 0

  /** The records that are complete now. */
  feed(piece: Uint8Array): Records {
    this.#rest.push(piece)
    this.#size += piece.length
    if (this.#size < this.#enough) return { rows: [], cells: [] }
    const records = this.#take()
    if (this.#size > limits.csv_record_characters && this.#restText().length > limits.csv_record_characters)
      throw new OriginFailure('invalid', messages.csv_record_long(this.#records + 1))
    this.#enough = 2 * this.#size
    return records
  }

  end(): Records {
    this.#dialect ??= dialectOf(this.#restText())
    this.#rest.push(Uint8Array.of(this.#dialect.newline))
    const records = this.#take()
    if (this.#size > 0) throw new OriginFailure('invalid', messages.csv_quote_open(this.#records + 1))
    return records
  }

  #take(): Records {
    const [only = new Uint8Array()] = this.#rest
    const bytes = this.#rest.length === 1 ? only : Buffer.concat(this.#rest)
    this.#dialect ??= dialectOf(this.#restText())
    this.#writer ??= new RecordWriter(this.#dialect)
    const { records, end, isStray } = this.#writer.write(bytes)
    this.#records += records.rows.length
    if (isStray) throw new OriginFailure('invalid', messages.csv_quote_stray(this.#records + 1))
    this.#rest = [bytes.subarray(end)]
    this.#size = bytes.length - end
    return records
  }

  #restText(): string {
    return Buffer.concat(this.#rest).toString('utf8')
  }
}
