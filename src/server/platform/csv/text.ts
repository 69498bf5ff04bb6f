import { TextDecoder } from 'node:util'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { limits } from '../../../contract/limits.ts'

import { NamedError } from '../errors.ts'

// First bytes of a workbook: .xlsx is a zip, .xls an OLE file.
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
/** The parser processes a piece synchronously, at 40 µs for a row of two bytes that does not fit the header. */
export const PIECE_BYTES = 1_024
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/** Passes bytes on as long as they are UTF-8. Throws NamedError `csv_invalid` with the detected other encoding. */
export async function* plainText(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  let delimiters = 0
  for await (const bytes of source) {
    if (first) refuseOtherFormats(bytes)
    first = false
    decode(decoder, bytes)
    if (bytes.includes(0)) throw invalid(csvJobServerMessages.csv_nul)
    // A row is held in memory, so one with millions of cells must be rejected before it is parsed.
    delimiters = delimitersAfter(delimiters, bytes)
    if (delimiters > limits.csv_record_characters)
      throw invalid(csvJobServerMessages.csv_columns_many(limits.csv_columns))
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES)
    }
  }
  decode(decoder)
}

const [LF, CR] = [0x0a, 0x0d]
const DELIMITERS = new Set(Buffer.from(',;\t|'))

// Number of possible delimiters since the last line end, including quoted ones. The limit of characters per row also
// limits the cells.
function delimitersAfter(before: number, bytes: Buffer): number {
  let delimiters = before
  for (const byte of bytes) {
    if (DELIMITERS.has(byte)) delimiters += 1
    else if (byte === LF || byte === CR) delimiters = 0
  }
  return delimiters
}

function decode(decoder: TextDecoder, bytes?: Buffer): void {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    // Longer texts in another one-byte encoding are practically never valid UTF-8.
    throw new NamedError('csv_invalid', { message: csvJobServerMessages.csv_latin1, field: 'file', cause })
  }
}

function refuseOtherFormats(bytes: Buffer): void {
  const starts = (mark: number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (WORKBOOKS.some(starts)) throw invalid(csvJobServerMessages.csv_workbook)
  // Without a byte order mark, every other byte of Latin letters is NUL.
  const halves = bytes.length >= 4 && [0, 1].some((half) => bytes[half] === 0 && bytes[half + 2] === 0)
  if (UTF16_MARKS.some(starts) || halves) throw invalid(csvJobServerMessages.csv_utf16)
}

const invalid = (message: string) => new NamedError('csv_invalid', { message, field: 'file' })
