import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wait } from './inject-fault.ts'

const chunkBytes = 16 * 1024
// What is not paced goes in few pieces: each is a turn of the threads that zip.
const unpacedBytes = 64 * 1024
const zippedAtOnce = 256 * 1024
// Below this the frame of gzip eats what it saves.
const worthCompressing = 1024

/** How long one megabyte (1,000,000 bytes) of a body takes on its way; 0 is as fast as it goes. */
export type Pace = { ms_per_mb: number }

/** A request's body at that pace, as it arrives over the wire. */
export function pacedUpload(body: Readable, pace: Pace, reply: FastifyReply): Readable {
  return Readable.from(paced(body, pace, reply), { objectMode: false })
}

/** A reply's body as it goes over the wire: gzipped as it goes for a caller who takes that, and at that pace. */
export function delivered(
  body: Buffer | Readable,
  pace: Pace,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Buffer | Readable {
  // A stream is of many bytes.
  const length = Buffer.isBuffer(body) ? body.length : Number.POSITIVE_INFINITY
  const isPaced = pace.ms_per_mb > 0 && length > 0
  if (takesGzip(request) && length >= worthCompressing) {
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
    const plain = Buffer.isBuffer(body) ? Readable.from(chunksOf(body, zippedAtOnce)) : body
    const chunkSize = isPaced ? chunkBytes : unpacedBytes
    const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize })
    // What cannot be made any further breaks the answer off, and whoever hangs up ends the making.
    const zipped = pipeline(plain, gzip, () => {})
    return isPaced ? Readable.from(paced(zipped, pace, reply)) : zipped
  }
  if (!isPaced) return body
  if (!Buffer.isBuffer(body)) return Readable.from(paced(body, pace, reply))
  reply.header('content-length', length)
  return Readable.from(paced(chunksOf(body, chunkBytes), pace, reply))
}

function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').split(',')
  return accepted.some((coding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(coding))
}

/** Each chunk at the moment at which all bytes up to its end are through, so that late timers do not add up. */
async function* paced(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { ms_per_mb }: Pace,
  reply: FastifyReply,
): AsyncGenerator<Buffer> {
  const start = performance.now()
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    const early = start + (bytes / 1_000_000) * ms_per_mb - performance.now()
    if (early >= 1) await wait(early, reply)
    yield chunk
  }
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
