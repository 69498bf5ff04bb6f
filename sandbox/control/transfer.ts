import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wait } from './inject-fault.ts'

const chunkBytes = 16 * 1024
// Chunk size without pacing. Each chunk is one task of the zlib thread pool.
const unpacedBytes = 64 * 1024
const zippedAtOnce = 256 * 1024
// Smaller bodies do not benefit from gzip.
const worthCompressing = 1024

/** Transfer time per megabyte (1,000,000 bytes); 0 means unlimited. */
export type Pace = { ms_per_mb: number }

/** A request body, delayed to the given pace on the wire. */
export function pacedUpload(body: Readable, pace: Pace, reply: FastifyReply): Readable {
  return Readable.from(paced(body, pace, reply), { objectMode: false })
}

/** A reply body on the wire: gzipped if the client accepts it, and delayed to the given pace. */
export function delivered(
  body: Buffer | Readable,
  pace: Pace,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Buffer | Readable {
  // A stream is assumed to be large.
  const length = Buffer.isBuffer(body) ? body.length : Number.POSITIVE_INFINITY
  const isPaced = pace.ms_per_mb > 0 && length > 0
  if (takesGzip(request) && length >= worthCompressing) {
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
    const plain = Buffer.isBuffer(body) ? Readable.from(chunksOf(body, zippedAtOnce)) : body
    const chunkSize = isPaced ? chunkBytes : unpacedBytes
    const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize })
    // An error of the source aborts the reply, and a disconnect aborts the source.
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

/** Schedules each chunk from the start of the transfer, so that timer delays do not accumulate. */
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
