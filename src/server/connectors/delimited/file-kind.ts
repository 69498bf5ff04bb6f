import { originMessages } from '../../../contract/connections/server-messages.ts'
import { OriginFailure } from '../connector.ts'
import { withStart } from './gunzip.ts'

/** Enough for the first entry names of a ZIP file. */
const START_BYTES = 2048

const KINDS: [kind: string, bytes: number[]][] = [
  ['a PDF file', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['an Excel workbook (.xls)', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a ZIP file', [0x50, 0x4b, 0x03, 0x04]],
  ['an empty ZIP file', [0x50, 0x4b, 0x05, 0x06]],
  ['a 7z file', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a RAR file', [0x52, 0x61, 0x72, 0x21, 0x1a]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a Zstandard file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['a Parquet file', [0x50, 0x41, 0x52, 0x31]],
  ['an image', [0x89, 0x50, 0x4e, 0x47]],
  ['an image', [0xff, 0xd8, 0xff]],
]

/**
 * Passes on a text file. Throws OriginFailure that names the file type if it is none. `wanted`: the expected type,
 * such as CSV.
 */
export async function* textFile(
  pieces: AsyncIterable<Uint8Array>,
  wanted: string,
): AsyncGenerator<Uint8Array> {
  const { start, all } = await withStart(pieces, START_BYTES)
  const kind = kindOf(start)
  if (kind !== null) throw new OriginFailure('invalid', originMessages.other_file(kind, wanted))
  yield* all
}

/** The type of a file that is not text, by its beginning; null if it may be text. */
function kindOf(start: Buffer): string | null {
  const [kind = null] = KINDS.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte)) ?? []
  if (kind !== 'a ZIP file') return kind === 'a bzip2 file' && isText(start) ? null : kind
  const names = start.toString('latin1')
  if (/\[Content_Types\]\.xml|xl\//.test(names)) return 'an Excel workbook (.xlsx)'
  return names.includes('opendocument.spreadsheet') ? 'an OpenDocument spreadsheet (.ods)' : kind
}

// The magic bytes BZh are letters, so a header might begin with them.
const isText = (start: Buffer) => !start.includes(0) && start.every((byte) => byte < 0x80)
