import { TextDecoder } from 'node:util'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

const SUPPORTED = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']

const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The pieces as text: by their mark, by the charset that the content type declares, or as UTF-8. Throws OriginFailure for another
 * charset, which it names, and for bytes that are no such text.
 */
export async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<string> {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  let decoder: TextDecoder | undefined
  let start = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (decoder) {
      yield decode(decoder, piece)
      continue
    }
    start = Buffer.concat([start, piece])
    // A mark may come in two pieces.
    if (start.length < 4) continue
    decoder = decoderFor(start, charset)
    yield decode(decoder, start)
  }
  if (!decoder) {
    decoder = decoderFor(start, charset)
    yield decode(decoder, start)
  }
  yield decode(decoder)
}

function decoderFor(start: Buffer, charset: string | undefined): TextDecoder {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte))
  // Every other byte of Latin letters in UTF-16 is NUL.
  if (!mark && charset === undefined && start.subarray(0, 4).includes(0))
    throw new OriginFailure('invalid', messages.charset_missing('UTF-16'))
  try {
    const decoder = new TextDecoder(mark?.[0] ?? charset ?? 'utf-8', { fatal: true })
    if (SUPPORTED.includes(decoder.encoding)) return decoder
  } catch (error) {
    // A name that nobody has given to a charset.
    if (!(error instanceof RangeError)) throw error
  }
  throw new OriginFailure('invalid', messages.charset_unknown(charset ?? ''))
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch (cause) {
    const said = decoder.encoding
    const message = said === 'utf-8' ? messages.charset_missing('Latin-1') : messages.charset_broken(said)
    throw new OriginFailure('invalid', message, { cause })
  }
}
