import type { Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { crc32, createInflateRaw } from 'node:zlib'
import { configure, type FileEntry, Reader, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { broken, refusal } from './refusal.ts'

// Parts are unpacked by Node's zlib, which needs no threads of its own.
configure({ useWebWorkers: false })

/** Limits of what a workbook unpacks to. */
export type ZipLimits = {
  parts: number
  /** Of one part, in bytes. */
  part_bytes: number
  /** Of a part that is read as a whole, in bytes. */
  whole_bytes: number
  /** Unpacked to packed size of a part; applies from `ratio_from` bytes on. */
  ratio: number
  ratio_from: number
}

/** XML of sheets unpacks to 10 to 50 times its size; the format's own maximum is 1,032. */
const ZIP_LIMITS: ZipLimits = {
  parts: 20_000,
  part_bytes: 16 * 1_073_741_824,
  whole_bytes: 64 * 1_048_576,
  ratio: 250,
  ratio_from: 32 * 1_048_576,
}

/** Content of a part. `file` and `part` are names for messages. */
export type PartSource = { file: string; part: string; pieces(): AsyncIterable<Uint8Array> }

/** A part that is not in the file yet. */
export const newPart = (file: string, part: string, content: string): PartSource => ({
  file,
  part,
  async *pieces() {
    yield Buffer.from(content)
  },
})

const PIECE_BYTES = 131_072
const DEFLATED = 8
const STORED = 0

/** Parts of a ZIP file by name, without regard to case. All methods throw OriginFailure. */
export class ZipArchive {
  readonly file: string
  /** In the order of the file. */
  readonly entries: readonly FileEntry[]
  readonly #limits: ZipLimits
  readonly #opened: OpenedFile | undefined
  readonly #byName = new Map<string, FileEntry>()

  constructor(file: string, entries: FileEntry[], limits: ZipLimits, opened?: OpenedFile) {
    this.file = file
    this.#opened = opened
    this.entries = entries
    this.#limits = limits
    for (const entry of entries) {
      const name = partName(entry.filename)
      if (!this.#byName.has(name)) this.#byName.set(name, entry)
    }
  }

  /** The part with this name, as it is spelled in the file; undefined if there is none. */
  entry(part: string): FileEntry | undefined {
    return this.#byName.get(partName(part))
  }

  /** The content of a part, for readers. */
  source(part: string): PartSource {
    return { file: this.file, part, pieces: () => this.pieces(part) }
  }

  /** Unpacks a part. */
  async *pieces(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.entry(part)
    if (!entry) throw broken(this.file, fileMessages.part_missing(part))
    if (entry.encrypted) throw refusal(fileMessages.encrypted(this.file))
    let bytes = 0
    let sum = 0
    try {
      for await (const piece of this.#unpacked(entry)) {
        bytes += piece.length
        this.#limit(entry, bytes)
        sum = crc32(piece, sum)
        yield piece
      }
      if (sum !== entry.crc32) throw broken(this.file, fileMessages.part_damaged(entry.filename))
    } finally {
      await this.refuseChanged()
    }
  }

  /** Throws OriginFailure if the file was changed since it was opened. */
  async refuseChanged(): Promise<void> {
    if (await this.#opened?.isChanged())
      throw refusal(fileMessages.changed_while_read(this.file), 'unavailable')
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }

  /** Unpacks a small part, such as the list of sheets. */
  async whole(part: string): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of this.pieces(part)) {
      bytes += piece.length
      if (bytes > this.#limits.whole_bytes)
        throw refusal(fileMessages.unpacks_too_large(this.file, part, this.#limits.whole_bytes), 'too_large')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  async *#unpacked(entry: FileEntry): AsyncGenerator<Uint8Array> {
    if (entry.compressionMethod !== DEFLATED && entry.compressionMethod !== STORED)
      throw broken(this.file, fileMessages.part_damaged(entry.filename))
    const packed = Readable.fromWeb(packedBytes(entry))
    const unpacked =
      entry.compressionMethod === STORED
        ? packed
        : // A failure destroys the stream, so the loop below throws it.
          pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), () => undefined)
    try {
      for await (const piece of unpacked) {
        // Chunks are bytes, because no encoding is set.
        const part: Uint8Array = piece
        yield part
      }
    } catch (cause) {
      throw broken(this.file, fileMessages.part_damaged(entry.filename), cause)
    }
  }

  #limit(entry: FileEntry, bytes: number): void {
    const { part_bytes, ratio, ratio_from } = this.#limits
    if (bytes > part_bytes)
      throw refusal(fileMessages.unpacks_too_large(this.file, entry.filename, part_bytes), 'too_large')
    if (bytes > ratio_from && bytes > ratio * entry.compressedSize)
      throw refusal(fileMessages.unpacks_too_far(this.file, entry.filename, ratio), 'too_large')
  }
}

/** The bytes of an entry as the file holds them. */
export function packedBytes(entry: FileEntry): NodeReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // A failure reaches the reader through the stream.
  entry.getData(writable, { passThrough: true }).catch(() => undefined)
  return readable
}

/** Reads the list of parts of a file, which stays open until it is closed. `file`: its name for messages. Throws OriginFailure. */
export async function openZip(path: string, file: string, limits = ZIP_LIMITS): Promise<ZipArchive> {
  const opened = await OpenedFile.open(path)
  try {
    return new ZipArchive(file, await entriesOf(opened, file, limits), limits, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The same for a file in memory. */
export async function zipOf(bytes: Uint8Array, file: string): Promise<ZipArchive> {
  return new ZipArchive(file, await entriesOf(new Uint8ArrayReader(bytes), file, ZIP_LIMITS), ZIP_LIMITS)
}

async function entriesOf(bytes: Reader<unknown>, file: string, limits: ZipLimits): Promise<FileEntry[]> {
  const entries: FileEntry[] = []
  let count = 0
  try {
    const reader = new ZipReader(bytes, { checkOverlappingEntry: true })
    for await (const entry of reader.getEntriesGenerator()) {
      count += 1
      if (count > limits.parts) break
      if (!entry.directory) entries.push(entry)
    }
  } catch (cause) {
    throw broken(file, fileMessages.zip_damaged, cause)
  }
  if (count > limits.parts) throw refusal(fileMessages.too_many_parts(file, count, limits.parts), 'too_large')
  return entries
}

/** A file that is read in parts. If another one replaces it under its name, it is still the one that was opened. */
class OpenedFile extends Reader<FileHandle> {
  readonly #file: FileHandle
  readonly #version: string

  private constructor(file: FileHandle, stats: Stats) {
    super(file)
    this.#file = file
    this.#version = versionOf(stats)
    this.size = stats.size
  }

  static async open(path: string): Promise<OpenedFile> {
    const file = await open(path)
    return new OpenedFile(file, await file.stat())
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - index)))
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, bytes.length - at, index + at)
      if (bytesRead === 0) return bytes.subarray(0, at)
      at += bytesRead
    }
    return bytes
  }

  async isChanged(): Promise<boolean> {
    return versionOf(await this.#file.stat()) !== this.#version
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

const versionOf = ({ size, mtimeMs }: Stats) => `${size} ${mtimeMs}`

/** A part's name in one spelling: some programs write other cases, backslashes, or a slash in front. */
export const partName = (name: string) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
