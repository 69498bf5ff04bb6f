import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { type Options, stringify } from 'csv-stringify/sync'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { NamedError } from '../errors.ts'
import { detectDialect, SAMPLE_BYTES } from './dialect.ts'
import { PIECE_BYTES, plainText } from './text.ts'

/** A row of a file: its cells by column, or why it cannot be read. The header is row 1. */
export type CsvRow = { row: number; cells: Cells } | { row: number; problem: string }

/** Text by column; undefined for a column that is not in the file. */
export type Cells = Partial<Record<string, string>>

type CsvValue = string | number | boolean | null

/** Values by column, for writing a file. */
export type CsvValues = Record<string, CsvValue>

/** The columns of a file. */
export type CsvShape = {
  columns: readonly string[]
  required: readonly string[]
  /** Accepted and skipped. */
  ignored: readonly string[]
  /** Alternative names of columns. */
  aliases?: Readonly<Record<string, string>>
  /** Maximum number of rows, with blank lines and the header; default `limits.csv_rows`. */
  max_rows?: number
}

// Spreadsheets interpret a text with this start as a formula, some also with full-width characters, or drop a line
// end before it; apostrophes before it must be escaped to remain distinct from ours.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
// A negative duration is not a formula.
const DURATION = /^-\d+:\d\d:\d\d(?:\.\d+)?$/
const BYTE_ORDER_MARK = '\ufeff'
// After so many rows, yields to the event loop for other requests.
const ROWS_IN_A_TURN = 200
// Compressing and sending cost as much for one row as for many.
const ROWS_IN_A_TEXT = 100
const ESCAPED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/** A text without the apostrophe that exports put before formulas. */
export const unescaped = (cell: string): string => (ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell)

/**
 * Streams the rows of a CSV file in UTF-8. Throws NamedError `csv_invalid` if it is not one, its header does not fit
 * the shape, or quotes are not closed; a row with another number of cells is returned with its problem.
 */
export async function* readCsv(source: Readable, shape: CsvShape): AsyncGenerator<CsvRow> {
  const { max_rows = limits.csv_rows } = shape
  let header: Header | undefined
  let row = 0
  try {
    for await (const record of recordsOf(source)) {
      row += 1
      if (row % ROWS_IN_A_TURN === 0) await nextTurn()
      if (row > max_rows) throw invalid(csvJobServerMessages.csv_rows_many(max_rows))
      if (record.every((cell) => cell === '')) continue
      if (header === undefined) header = readHeader(record, shape)
      else yield readRow(record, header, row)
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error
  }
  if (header === undefined) throw invalid(csvJobServerMessages.csv_empty)
}

/** Column names of a CSV file; none if it cannot be read, which reading its rows reports. */
export async function readColumnNames(source: Readable): Promise<string[]> {
  try {
    for await (const record of recordsOf(source)) {
      if (record.some((cell) => cell !== '')) return record.map((name) => name.trim())
    }
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof NamedError)) throw error
  }
  return []
}

/** The records of a file with the detected delimiter. Throws CsvError, and what the source throws. */
async function* recordsOf(source: Readable): AsyncGenerator<string[]> {
  const pieces = plainText(source)
  const start = await readStart(pieces)
  const text = start.toString()
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const { delimiter, newline, skipped } = detectDialect(text.slice(mark.length), { quote: '"' })
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: newline === '\r' ? ['\r'] : ['\r\r\n', '\r\n', '\n'],
    relax_column_count: true,
    max_record_size: limits.csv_record_characters,
  })
  async function* rest() {
    const rows = skipped > 0 ? start.subarray(Buffer.byteLength(mark) + skipped) : start
    for (let at = 0; at < rows.length; at += PIECE_BYTES) yield rows.subarray(at, at + PIECE_BYTES)
    yield* pieces
  }
  // An error reaches the loop below through the destroyed parser.
  pipeline(rest, parser, () => undefined)
  try {
    for await (const entry of parser) {
      // Guaranteed by the options above.
      const record: string[] = entry
      yield record
    }
  } finally {
    source.destroy()
  }
}

/** Enough of a file to detect its dialect. */
async function readStart(pieces: AsyncGenerator<Buffer>): Promise<Buffer> {
  const start: Buffer[] = []
  let bytes = 0
  while (bytes < SAMPLE_BYTES) {
    const next = await pieces.next()
    if (next.done) break
    start.push(next.value)
    bytes += next.value.length
  }
  return Buffer.concat(start)
}

/**
 * Streams a CSV file from rows of values by column or in column order. It begins with a byte order mark, which Excel
 * needs to detect UTF-8.
 */
export function writeCsv(
  columns: readonly string[],
  rows: AsyncIterable<CsvValues | readonly CsvValue[]>,
): Readable {
  return Readable.from(textsOf(columns, rows), { objectMode: false })
}

async function* textsOf(
  columns: readonly string[],
  rows: AsyncIterable<CsvValues | readonly CsvValue[]>,
): AsyncGenerator<string> {
  let waiting: (CsvValues | readonly CsvValue[])[] = []
  let header = true
  const text = () => {
    const rows = stringify(waiting, { ...WRITTEN, header, columns: [...columns] })
    const written = header ? BYTE_ORDER_MARK + rows : rows
    waiting = []
    header = false
    return written
  }
  for await (const row of rows) {
    waiting.push(row)
    if (waiting.length === ROWS_IN_A_TEXT) yield text()
  }
  if (header || waiting.length > 0) yield text()
}

const WRITTEN: Options = {
  record_delimiter: '\r\n',
  // Other line endings must be quoted as well.
  quoted_match: /[\r\n]/,
  cast: {
    string: (text) => (FORMULA.test(text) && !DURATION.test(text) ? `'${text}` : text),
    boolean: (value) => String(value),
  },
}

// Column by position; null for a skipped column.
type Header = (string | null)[]

function readHeader(record: string[], { columns, required, ignored, aliases = {} }: CsvShape): Header {
  const names = withoutBlankEnd(record).map((name) => name.trim())
  if (names.length > limits.csv_columns)
    throw invalid(csvJobServerMessages.csv_columns_many(limits.csv_columns))
  const known = new Map(Object.entries(aliases))
  const seen = new Map<string, string>()
  for (const name of names) {
    const column = known.get(name) ?? name
    if (!columns.includes(column) && !ignored.includes(column))
      throw invalid(csvJobServerMessages.csv_column_unknown(name))
    const earlier = seen.get(column)
    if (earlier === name) throw invalid(csvJobServerMessages.csv_column_twice(name))
    if (earlier !== undefined) throw invalid(csvJobServerMessages.csv_columns_same(earlier, name))
    seen.set(column, name)
  }
  const missing = required.filter((name) => !seen.has(name))
  if (missing.length > 0) throw invalid(csvJobServerMessages.csv_columns_missing(missing))
  return [...seen.keys()].map((column) => (columns.includes(column) ? column : null))
}

function readRow(record: string[], header: Header, row: number): CsvRow {
  const blank = record.slice(header.length).every((cell) => cell === '')
  if (record.length < header.length || !blank) {
    return { row, problem: csvJobServerMessages.csv_row_ragged(record.length, header.length) }
  }
  const cells: Cells = {}
  for (const [position, name] of header.entries()) {
    const cell = record[position] ?? ''
    if (name !== null) cells[name] = unescaped(cell)
  }
  return { row, cells }
}

// Spreadsheets write empty cells after the last column once they contained something.
const withoutBlankEnd = (record: string[]) =>
  record.slice(0, record.findLastIndex((name) => name.trim() !== '') + 1)

function unreadable(error: CsvError): NamedError {
  const row = Number(error.records) + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return invalid(csvJobServerMessages.csv_quote_open(row))
  if (error.code === 'CSV_MAX_RECORD_SIZE') return invalid(csvJobServerMessages.csv_row_long(row))
  return invalid(csvJobServerMessages.csv_quote_stray(row))
}

const invalid = (message: string) => new NamedError('csv_invalid', { message, field: 'file' })
