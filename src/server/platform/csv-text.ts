import { TextDecoder } from 'node:util'
import { messages } from '../../contract/messages.ts'
import { NamedError } from './errors.ts'

// First bytes of a workbook: .xlsx is a zip, .xls an OLE file.
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/** Passes a file's bytes on while they are UTF-8. Throws NamedError `csv_invalid` that names what they are instead. */
export async function* plainText(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  for await (const bytes of source) {
    if (first) refuseOtherFormats(bytes)
    first = false
    decode(decoder, bytes)
    if (bytes.includes(0)) throw invalid(messages.csv_nul)
    yield bytes
  }
  decode(decoder)
}

function decode(decoder: TextDecoder, bytes?: Buffer): void {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    // No text of some length in another one-byte encoding is valid UTF-8 by chance.
    throw new NamedError('csv_invalid', { message: messages.csv_latin1, field: 'file', cause })
  }
}

function refuseOtherFormats(bytes: Buffer): void {
  const starts = (mark: number[]) => mark.every((byte, index) => bytes[index] === byte)
  if (WORKBOOKS.some(starts)) throw invalid(messages.csv_workbook)
  // Without a mark, every other byte of Latin letters is NUL.
  const halves = bytes.length >= 4 && [0, 1].some((half) => bytes[half] === 0 && bytes[half + 2] === 0)
  if (UTF16_MARKS.some(starts) || halves) throw invalid(messages.csv_utf16)
}

const invalid = (message: string) => new NamedError('csv_invalid', { message, field: 'file' })
