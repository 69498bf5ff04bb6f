import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { type FileEntry, ZipWriter } from '@zip.js/zip.js'
import { TemporaryFile } from './temporary-file.ts'
import { packedBytes, partName, type ZipArchive } from './zip-archive.ts'

const DEFLATED = 8
const PIECE_BYTES = 131_072
/** Takes half the time of the default, for a fifth more bytes. */
const LEVEL = 3

/** New content of a part; null: as it was. */
export type PartContent = string | AsyncIterable<Uint8Array> | null

/** Content that is known when the other parts are written. */
export type LastContent = () => Promise<PartContent>

/** How a copy of a ZIP file differs from it: parts by name. Parts that it does not have are added. */
export type ZipChanges = {
  dropped: ReadonlySet<string>
  written: ReadonlyMap<string, PartContent>
  last: ReadonlyMap<string, LastContent>
}

/** Writes a copy of a ZIP file and flushes it to the disk. Other parts are copied as they are packed. Throws OriginFailure. */
export async function writeZip(out: string, zip: ZipArchive, changes: ZipChanges): Promise<void> {
  const written = new Map([...changes.written].map(([part, content]) => [partName(part), content]))
  const last = new Set([...changes.last.keys()].map(partName))
  const file = await open(out, 'wx')
  try {
    const writer = new ZipWriter(writableTo(file), { keepOrder: true })
    for (const entry of zip.entries) {
      const name = partName(entry.filename)
      if (!changes.dropped.has(name) && !last.has(name))
        await writePart(writer, entry, written.get(name) ?? null)
    }
    for (const [part, content] of changes.written) if (!zip.entry(part)) await writeNew(writer, part, content)
    for (const [part, make] of changes.last) {
      const entry = zip.entry(part)
      const content = await make()
      if (entry) await writePart(writer, entry, content)
      else if (content !== null) await writeNew(writer, part, content)
    }
    await writer.close()
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writePart(writer: ZipWriter<unknown>, entry: FileEntry, content: PartContent): Promise<void> {
  if (content !== null) return writeNew(writer, entry.filename, content)
  const { compressedSize: size, uncompressedSize, crc32, compressionMethod, lastModDate, comment } = entry
  const options = { passThrough: true, uncompressedSize, crc32, compressionMethod, lastModDate, comment }
  // With a known size no descriptor follows the data, which some programs cannot read.
  await writer.add(entry.filename, { readable: packedBytes(entry), size }, options)
}

async function writeNew(writer: ZipWriter<unknown>, name: string, content: PartContent): Promise<void> {
  const packed = await pack(typeof content === 'string' ? [Buffer.from(content)] : (content ?? []))
  const { file, ...sizes } = packed
  try {
    const data = { readable: ReadableStream.from(file.pieces()), size: file.size }
    await writer.add(name, data, { passThrough: true, compressionMethod: DEFLATED, ...sizes })
  } finally {
    file.close()
  }
}

/** Packs a part into a temporary file: its size is written in front of it. */
async function pack(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const sizes = { uncompressedSize: 0, crc32: 0 }
  const file = new TemporaryFile()
  const counted = async function* () {
    for await (const piece of content) {
      sizes.uncompressedSize += piece.length
      sizes.crc32 = crc32(piece, sizes.crc32)
      yield piece
    }
  }
  try {
    await pipeline(counted, createDeflateRaw({ level: LEVEL, chunkSize: PIECE_BYTES }), async (packed) => {
      for await (const piece of packed) file.append(piece)
    })
    return { file, ...sizes }
  } catch (error) {
    file.close()
    throw error
  }
}

function writableTo(file: FileHandle): WritableStream<Uint8Array> {
  return new WritableStream({
    async write(piece) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
    },
  })
}
