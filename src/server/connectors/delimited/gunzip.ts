import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

const MAGIC = Buffer.from([0x1f, 0x8b])

/**
 * Unpacks a gzip file such as `.csv.gz`; passes on any other. Throws OriginFailure for damaged or truncated files and
 * if the unpacked size exceeds `bytes`.
 */
export async function* gunzipped(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  const { start, all } = await withStart(pieces, MAGIC.length)
  if (!start.equals(MAGIC)) return yield* all
  const gunzip = createGunzip()
  // A failure destroys the stream, so the loop below throws it.
  pipeline(Readable.from(all, { objectMode: false }), gunzip, () => undefined)
  let size = 0
  try {
    for await (const piece of gunzip) {
      // Chunks are bytes, because no encoding is set.
      const part: Uint8Array = piece
      size += part.length
      if (size > bytes) throw new OriginFailure('too_large', originMessages.reply_too_large(bytes))
      yield part
    }
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))
      throw new OriginFailure('unavailable', originMessages.gzip_broken, { cause })
    throw cause
  }
}

/** Returns the first bytes of a file and all of its chunks. */
export async function withStart(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ start: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < length) {
    const next = await iterator.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  async function* all() {
    try {
      if (start.length > 0) yield start
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { start: start.subarray(0, length), all: all() }
}
