import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

/** Limits of time and size. */
export type ApiLimits = {
  /** For a complete reply; for a streamed one between chunks. */
  request_ms: number
  /** Uncompressed size. */
  reply_bytes: number
  csv_bytes: number
  /** Total of the pauses that the API requests for one request. */
  longest_wait_ms: number
}

/** A reply whose body has not been read yet. */
export type Reply = {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** URL after redirects. */
  url: URL
  body: Readable
  /** Whether its end is the end of the connection, which may also be a failure. */
  isOpenEnded: boolean
  /** Whether that connection was reset; valid after the body has ended. */
  wasReset: () => boolean
}

/** Decompresses a body. Throws OriginFailure above `bytes`. */
export async function* unpacked(reply: Reply, bytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of unpack(reply)) {
    // Chunks are bytes.
    const part: Uint8Array = piece
    size += part.length
    if (size > bytes) throw new OriginFailure('too_large', originMessages.reply_too_large(bytes))
    yield part
  }
}

function unpack({ headers, body }: Reply): Readable {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return body
  const unpacker = unpackerOf(encoding)
  if (!unpacker) throw new OriginFailure('invalid', originMessages.encoding_unknown(encoding))
  body.on('error', (error) => unpacker.destroy(error))
  unpacker.on('close', () => body.destroy())
  return body.pipe(unpacker)
}

function unpackerOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  return encoding === 'br' ? createBrotliDecompress() : null
}

/**
 * Passes on chunks while they arrive in time: at least `SLOWEST_BYTES` per `ms` of waiting, and no chunk later than
 * that. The receiver's time does not count.
 */
export async function* inTime(pieces: AsyncIterable<Uint8Array>, ms: number): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let waited = 0
  let bytes = 0
  try {
    for (;;) {
      const since = performance.now()
      const next = await within(iterator.next(), ms)
      if (next.done) return
      waited += performance.now() - since
      bytes += next.value.length
      if (waited > ms) {
        if (bytes < SLOWEST_BYTES) throw new OriginFailure('unavailable', originMessages.reply_slow)
        waited = 0
        bytes = 0
      }
      yield next.value
    }
  } finally {
    // It may be waiting for a chunk that never arrives.
    iterator.return?.().catch(() => undefined)
  }
}

const SLOWEST_BYTES = 4096

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new OriginFailure('unavailable', originMessages.reply_late(ms / 1000))),
    ms,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
