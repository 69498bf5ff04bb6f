import { isAscii } from 'node:buffer'
import { type FileHandle, open } from 'node:fs/promises'
import { describeFileFormat, type FileFormat } from '../../../contract/connections/file-formats.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'
import { type CsvSettings, DETECT_CSV } from '../../../contract/files/csv-settings.ts'
import { fileMessages } from '../../../contract/files/server-messages.ts'
import { detectDialect } from '../../platform/csv/dialect.ts'
import { OriginFailure } from '../connector.ts'
import { inUtf8 } from '../delimited/encoding.ts'
import { textFile } from '../delimited/file-kind.ts'
import { csvRecords } from '../delimited/records.ts'

/** What was found out about a file while it was read. */
export type DelimitedNotes = {
  /** As it was read. */
  format: FileFormat
  warnings: string[]
  remarks: string[]
}

/**
 * Reads the records of a CSV file from `start_row` (counted from 1) on, in batches of JSON rows. Cells are texts. What is not set is
 * detected. Throws OriginFailure; `unavailable` if the file is changed meanwhile.
 */
export async function* readDelimited(
  {
    path,
    name,
    start_row,
    csv = DETECT_CSV,
  }: { path: string; name: string; start_row: number; csv?: CsvSettings },
  onEnd: (notes: DelimitedNotes) => void,
): AsyncGenerator<Uint8Array[]> {
  const handle = await open(path)
  try {
    const before = await handle.stat()
    const format: FileFormat = { delimiter: ',', encoding: 'utf-8', quote: '"' }
    const said = { setting: csv.encoding, declared: await likelyEncoding(handle) }
    let warning: string | null = null
    const plain = new PlainText()
    const text = inUtf8(
      textFile(handle.createReadStream({ autoClose: false, start: 0 }), 'a CSV file'),
      said,
      (found) => {
        format.encoding = found.encoding
        // Detection is not a declaration that could be wrong.
        warning = csv.encoding === 'auto' ? null : found.warning
      },
    )
    const records = csvRecords(plain.watch(text), (beginning) => {
      const dialect = detectDialect(beginning, {
        delimiter: csv.delimiter === 'auto' ? undefined : csv.delimiter,
        quote: csv.quote === 'auto' ? undefined : csv.quote,
      })
      format.delimiter = dialect.delimiter
      format.quote = dialect.quote
      return dialect
    })
    const odd = { ragged: new OddRows(), stray: new OddRows() }
    let skipped = 0
    let read = 0
    let width: number | null = null
    for await (const { rows, cells, stray } of records) {
      const from = Math.min(rows.length, start_row - 1 - skipped)
      skipped += from
      const first = read - from
      for (let n = from; n < rows.length; n += 1) {
        width ??= cells[n] ?? 0
        if (cells[n] !== width) odd.ragged.add(first + n)
      }
      for (const n of stray) if (n >= from) odd.stray.add(first + n)
      read += rows.length - from
      if (rows.length > from) yield from === 0 ? rows : rows.slice(from)
    }
    const after = await handle.stat()
    if (before.size !== after.size || before.mtimeMs !== after.mtimeMs)
      throw new OriginFailure('unavailable', fileMessages.changed_while_read(name))
    // The same bytes in both encodings.
    if (plain.isAscii && csv.encoding === 'auto' && format.encoding === LEGACY) format.encoding = 'utf-8'
    onEnd({
      format,
      warnings: [
        ...(warning === null ? [] : [warning]),
        ...odd.ragged.warning(originMessages.csv_ragged),
        ...odd.stray.warning(originMessages.csv_quotes_stray),
      ],
      remarks: [describeFileFormat(format)],
    })
  } finally {
    await handle.close()
  }
}

// What yields to UTF-8.
const LEGACY = 'windows-1252'

/** UTF-16 without a byte order mark, else an encoding that yields to UTF-8 as soon as there are letters beyond ASCII. */
async function likelyEncoding(handle: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
  // Of Latin letters in UTF-16 every other byte is NUL.
  if (bytesRead < 2 || buffer[0] === buffer[1]) return LEGACY
  if (buffer[0] === 0) return 'utf-16be'
  return buffer[1] === 0 ? 'utf-16le' : LEGACY
}

/** Whether a file has only ASCII characters so far. */
class PlainText {
  isAscii = true

  async *watch(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of text) {
      this.isAscii &&= isAscii(piece)
      yield piece
    }
  }
}

/** Data rows with something odd; counted from 1. */
class OddRows {
  #count = 0
  #first = 0

  add(row: number): void {
    if (this.#count === 0) this.#first = row
    this.#count += 1
  }

  warning(message: (count: number, first: number) => string): string[] {
    return this.#count === 0 ? [] : [message(this.#count, this.#first)]
  }
}
