import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import type { EncodingSetting } from '../../../contract/connections/file-formats.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** Bytes examined to recognise UTF-8 in a file that is declared as something else. */
const JUDGED_BYTES = 16_384

/** The encoding by setting and as declared by the reply. */
export type SaidEncoding = { setting: EncodingSetting; declared: string | undefined }

/** The encoding used, with a warning if it differs from the declared one or may be wrong. */
export type FoundEncoding = { encoding: string; warning: string | null }

/** Converts chunks to UTF-8 with whole characters; called without a chunk at the end. Throws OriginFailure. */
type Recoder = (piece?: Uint8Array) => Uint8Array

/**
 * Converts a file to UTF-8 chunks of whole characters, without a byte order mark. The encoding is taken from the
 * mark, the setting, the declaration, or is UTF-8. `onFound` is called with it, and again if it turns out to be
 * another one. Throws OriginFailure for unknown encodings and invalid bytes.
 */
export async function* inUtf8(
  pieces: AsyncIterable<Uint8Array>,
  said: SaidEncoding,
  onFound: (found: FoundEncoding) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let recode: Recoder | undefined
  let start = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (recode) {
      yield recode(piece)
      continue
    }
    start = Buffer.concat([start, piece])
    // A mark may be split over two chunks.
    if (start.length < 4) continue
    recode = recoderFor(start, said, onFound)
    yield recode(start)
  }
  if (!recode) {
    recode = recoderFor(start, said, onFound)
    yield recode(start)
  }
  yield recode()
}

/** The charset of a content type. */
export const charsetOf = (content_type: string): string | undefined =>
  /charset\s*=\s*"?([^\s";]+)/i.exec(content_type)?.[1]

function recoderFor(
  start: Buffer,
  { setting, declared }: SaidEncoding,
  onFound: (found: FoundEncoding) => void,
): Recoder {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte))
  const said = setting === 'auto' ? declared : setting
  // In UTF-16 every other byte of Latin letters is NUL.
  if (!mark && said === undefined && start.subarray(0, 4).includes(0))
    throw new OriginFailure('invalid', originMessages.charset_missing('UTF-16'))
  const decoder = decoderOf(mark?.[0] ?? said ?? 'utf-8')
  const { encoding } = decoder
  onFound({ encoding, warning: null })
  if (encoding === 'utf-8') return checkedUtf8(mark?.[1].length ?? 0, failureOf(said))
  if (encoding.startsWith('utf-16')) return decodedBy(decoder)
  return unlessUtf8(decoder, setting !== 'auto', onFound)
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name, { fatal: true })
  } catch (error) {
    // An unknown encoding name.
    if (error instanceof RangeError) throw new OriginFailure('invalid', originMessages.charset_unknown(name))
    throw error
  }
}

const failureOf = (said: string | undefined) => () =>
  new OriginFailure(
    'invalid',
    said === undefined ? originMessages.charset_missing('Latin-1') : originMessages.charset_broken('utf-8'),
  )

function decodedBy(decoder: TextDecoder): Recoder {
  return (piece) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }))
    } catch (cause) {
      throw new OriginFailure('invalid', originMessages.charset_broken(decoder.encoding), { cause })
    }
  }
}

/**
 * Decodes with a legacy encoding, unless the first letters beyond ASCII are valid UTF-8, which is very unlikely by
 * chance; then the declaration is wrong. A setting always wins.
 */
function unlessUtf8(decoder: TextDecoder, isSet: boolean, onFound: (found: FoundEncoding) => void): Recoder {
  const { encoding } = decoder
  const asSaid = decodedBy(decoder)
  let recode: Recoder | undefined
  let held = Buffer.alloc(0)
  const judge = (isWhole: boolean) => {
    const text = isWhole ? held : held.subarray(0, wholeCharacters(held))
    const isOther = isUtf8(text) && text.some((byte) => byte >= 0x80)
    if (isOther)
      onFound(
        isSet
          ? { encoding, warning: originMessages.charset_set_wrong(encoding) }
          : { encoding: 'utf-8', warning: originMessages.charset_declared_wrong(encoding) },
      )
    const broken = () => new OriginFailure('invalid', originMessages.charset_mixed(encoding))
    return isOther && !isSet ? checkedUtf8(0, broken) : asSaid
  }
  return (piece) => {
    if (recode) return recode(piece)
    if (piece && held.length === 0 && piece.every((byte) => byte < 0x80)) return asSaid(piece)
    held = Buffer.concat([held, piece ?? held.subarray(0, 0)])
    if (piece && held.length < JUDGED_BYTES) return held.subarray(0, 0)
    if (held.length === 0) return asSaid()
    recode = judge(!piece)
    const text = recode(held)
    return piece ? text : Buffer.concat([text, recode()])
  }
}

/** Passes on valid UTF-8 without its byte order mark. */
function checkedUtf8(markLength: number, failure: () => OriginFailure): Recoder {
  let toSkip = markLength
  let rest: Uint8Array = new Uint8Array()
  return (piece) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece ?? rest.subarray(0, 0)]) : (piece ?? rest)
    const end = piece ? wholeCharacters(bytes) : bytes.length
    const text = bytes.subarray(toSkip, end)
    toSkip = 0
    rest = bytes.subarray(end)
    if (!isUtf8(text)) throw failure()
    return text
  }
}

/** Start of an incomplete character at the end; else the end. */
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
