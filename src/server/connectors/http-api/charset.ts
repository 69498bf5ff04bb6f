import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

const SUPPORTED = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']

const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Makes UTF-8 of pieces of a text, whole characters each; called without a piece at the end. Throws OriginFailure. */
type Recoder = (piece?: Uint8Array) => Uint8Array

/**
 * The pieces in UTF-8, each with whole characters and without a mark: by their mark, by the charset that the content type declares,
 * or as UTF-8. Throws OriginFailure for another charset, which it names, and for bytes that are no such text.
 */
export async function* inUtf8(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Uint8Array> {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  let recode: Recoder | undefined
  let start = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (recode) {
      yield recode(piece)
      continue
    }
    start = Buffer.concat([start, piece])
    // A mark may come in two pieces.
    if (start.length < 4) continue
    recode = recoderFor(start, charset)
    yield recode(start)
  }
  if (!recode) {
    recode = recoderFor(start, charset)
    yield recode(start)
  }
  yield recode()
}

function recoderFor(start: Buffer, charset: string | undefined): Recoder {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte))
  // Every other byte of Latin letters in UTF-16 is NUL.
  if (!mark && charset === undefined && start.subarray(0, 4).includes(0))
    throw new OriginFailure('invalid', messages.charset_missing('UTF-16'))
  try {
    const decoder = new TextDecoder(mark?.[0] ?? charset ?? 'utf-8', { fatal: true })
    if (decoder.encoding === 'utf-8') return checkedUtf8(mark?.[1].length ?? 0)
    if (SUPPORTED.includes(decoder.encoding)) return decodedBy(decoder)
  } catch (error) {
    // A name that nobody has given to a charset.
    if (!(error instanceof RangeError)) throw error
  }
  throw new OriginFailure('invalid', messages.charset_unknown(charset ?? ''))
}

function decodedBy(decoder: TextDecoder): Recoder {
  return (piece) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }))
    } catch (cause) {
      throw new OriginFailure('invalid', messages.charset_broken(decoder.encoding), { cause })
    }
  }
}

/** Passes on what is UTF-8 already, but for its first bytes. */
function checkedUtf8(markLength: number): Recoder {
  let toSkip = markLength
  let rest: Uint8Array = new Uint8Array()
  return (piece) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece ?? rest.subarray(0, 0)]) : (piece ?? rest)
    const end = piece ? wholeCharacters(bytes) : bytes.length
    const text = bytes.subarray(toSkip, end)
    toSkip = 0
    rest = bytes.subarray(end)
    if (!isUtf8(text)) throw new OriginFailure('invalid', messages.charset_missing('Latin-1'))
    return text
  }
}

/** Where the character begins that is not complete yet; else the end. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
