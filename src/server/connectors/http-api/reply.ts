import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

/** How long an origin may take, and how much it may answer. */
export type ApiLimits = {
  /** For a reply that is held whole; for one that is streamed, between its pieces. */
  request_ms: number
  /** Of a reply that is held whole, and of one that is streamed; unpacked. */
  reply_bytes: number
  csv_bytes: number
  /** For all pauses that the origin asks for before it answers one request. */
  longest_wait_ms: number
}

/** What an origin answered; the body has not been read yet. */
export type Reply = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Where it came from, after redirects. */
  url: URL
  body: Readable
  /** Whether it ends with its connection, whose end may also be a failure. */
  isOpenEnded: boolean
  /** Whether the connection of such a reply was reset; stands once the body has ended. */
  wasReset: () => boolean
}

/** Unpacks a body, piece by piece. Throws OriginFailure once there are more than `bytes`. */
export async function* unpacked(reply: Reply, bytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of unpack(reply)) {
    // A body of Node's is made of bytes.
    const part: Uint8Array = piece
    size += part.length
    if (size > bytes) throw new OriginFailure('too_large', messages.reply_too_large(bytes))
    yield part
  }
}

function unpack({ headers, body }: Reply): Readable {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return body
  const unpacker = unpackerOf(encoding)
  if (!unpacker) throw new OriginFailure('invalid', messages.encoding_unknown(encoding))
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
 * The same pieces while they come in time: at least `SLOWEST_BYTES` in each `ms` spent waiting for them, and none of them later
 * than that. Time that the receiver takes does not count.
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
        if (bytes < SLOWEST_BYTES) throw new OriginFailure('unavailable', messages.reply_slow)
        waited = 0
        bytes = 0
      }
      yield next.value
    }
  } finally {
    // It may still wait for a piece that never comes.
    iterator.return?.().catch(() => undefined)
  }
}

const SLOWEST_BYTES = 4096

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new OriginFailure('unavailable', messages.reply_late(ms / 1000))),
    ms,
  )
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
