import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { BackupError, reasonOf } from './backup-error.ts'
import { FormatError, FrameReader } from './frames.ts'

// Format 2: a header line; a gzip stream with, for each table, a line and its rows in COPY format as frames, a line
// of sequences and a line with the row counts; the HMAC-SHA-256 of all preceding bytes. Format 1 (version 0.1.0) is
// only a gzip stream, which begins with the header line and ends with a line containing a SHA-256 of the content: an
// unauthenticated checksum.

const SIGNATURE_BYTES = 32
const MAX_HEADER_BYTES = 4_096
const CHUNK_BYTES = 262_144
const GZIP_START = Buffer.from([0x1f, 0x8b])

/** Metadata of a backup. */
export const Header = z.object({
  rowferry_backup: z.literal([1, 2]),
  /** Version of the program that wrote it. */
  program: z.string().regex(/^[\w.+-]{1,50}$/),
  /** Number of its last migration. */
  schema_version: z.int().positive(),
  made_at: z.string(),
  /** Identifies the key that signs the file and seals grants and connections; the key is not in the file. */
  key_id: z.string().regex(/^[\w-]{1,50}$/),
})
export type Header = z.infer<typeof Header>

const Table = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })
export type Table = z.infer<typeof Table>

const Sequence = z.object({ name: z.string(), value: z.string().regex(/^-?\d{1,19}$/) })
const Sequences = z.object({ sequences: z.array(Sequence) })
export type Sequence = z.infer<typeof Sequence>

const End = z.object({ rows: z.record(z.string(), z.int()), sha256: z.string().optional() })
export type End = z.infer<typeof End>

/** Callbacks for the parts of a backup, in their order. */
type BackupParts = {
  /** Must consume all rows before it resolves. */
  table: (table: Table, rows: AsyncIterable<Buffer>) => Promise<void>
  sequences: (sequences: Sequence[]) => Promise<void>
}

export const signer = (key: Buffer): Hmac => createHmac('sha256', key)

/** A file that may be a backup: only its header has been read. */
export class BackupFile {
  readonly name: string
  readonly header: Header
  /** Size of the header before the gzip stream; 0 if the header is inside. */
  readonly #start: number
  readonly #size: number
  readonly #file: FileHandle

  private constructor(
    name: string,
    header: Header,
    range: { start: number; size: number; file: FileHandle },
  ) {
    this.name = name
    this.header = header
    this.#start = range.start
    this.#size = range.size
    this.#file = range.file
  }

  /** Opens a file for `use` and closes it afterwards. Throws BackupError if it cannot be read or is not a backup. */
  static async open<T>(name: string, use: (file: BackupFile) => Promise<T>): Promise<T> {
    const file = await open(name).catch((error: unknown) => {
      throw new BackupError(`${name} cannot be read: ${reasonOf(error)}.`)
    })
    try {
      const { header, start } = await sentence(name, () => readHeader(file))
      const { size } = await file.stat()
      return await use(new BackupFile(name, header, { start, size, file }))
    } finally {
      await file.close()
    }
  }

  get isSigned(): boolean {
    return this.#start > 0
  }

  /** Verifies the signature without unpacking. Throws BackupError if it does not match the key. */
  async checkSignature(key: Buffer): Promise<void> {
    const mac = signer(key)
    if (this.#size > this.#start + SIGNATURE_BYTES) for await (const _ of this.#bytes(0, mac));
    await this.#compareSignature(mac)
  }

  /**
   * Reads all parts. Throws BackupError if the file is not a backup, is truncated or was changed. That is only known
   * at the end, so the caller must be able to undo.
   */
  async read(key: Buffer, parts: BackupParts): Promise<End> {
    const mac = signer(key)
    return sentence(this.name, async () => {
      const end = await unpacked(this.#bytes(this.#start, mac), (bytes) => this.#readParts(bytes, parts))
      if (this.isSigned) await this.#compareSignature(mac)
      return end
    })
  }

  async #readParts(bytes: AsyncIterable<Uint8Array>, parts: BackupParts): Promise<End> {
    const hash = createHash('sha256')
    const reader = new FrameReader(bytes, this.isSigned ? undefined : (piece) => hash.update(piece))
    if (!this.isSigned) await reader.line()
    for (;;) {
      const line = await reader.line()
      const sequences = Sequences.safeParse(line)
      if (sequences.success) {
        await parts.sequences(sequences.data.sequences)
        break
      }
      await parts.table(Table.parse(line), reader.frames())
    }
    const end = End.parse(await reader.line({ silent: true }))
    await reader.end()
    if (!this.isSigned && end.sha256 !== hash.digest('hex'))
      throw new BackupError(`${this.name} is damaged: its checksum is another.`)
    return end
  }

  /** The signed bytes, or all bytes, from an offset. */
  async *#bytes(start: number, mac: Hmac): AsyncGenerator<Buffer, void> {
    const end = this.isSigned ? this.#size - SIGNATURE_BYTES : this.#size
    if (start > 0) mac.update(await readAt(this.#file, 0, start))
    for await (const bytes of chunksOf(this.#file, start, end)) {
      mac.update(bytes)
      yield bytes
    }
  }

  async #compareSignature(mac: Hmac): Promise<void> {
    const written = await readAt(this.#file, Math.max(0, this.#size - SIGNATURE_BYTES), SIGNATURE_BYTES)
    const computed = mac.digest()
    if (written.length === computed.length && timingSafeEqual(written, computed)) return
    throw new BackupError(
      `The signature of ${this.name} is wrong: the file was changed or cut off after it was written, or it was not written under this SECRET_KEY. It is not restored.`,
    )
  }
}

async function readHeader(file: FileHandle): Promise<{ header: Header; start: number }> {
  const beginning = await readAt(file, 0, MAX_HEADER_BYTES)
  if (beginning.subarray(0, GZIP_START.length).equals(GZIP_START)) {
    const packed = chunksOf(file, 0, Number.POSITIVE_INFINITY)
    const header = await unpacked(packed, (bytes) => new FrameReader(bytes).line(), { whole: false })
    return { header: headerOf(header), start: 0 }
  }
  const start = beginning.indexOf('\n') + 1
  if (start === 0) throw new FormatError('it does not begin with a header')
  const reader = new FrameReader(Readable.from([beginning.subarray(0, start)]))
  return { header: headerOf(await reader.line()), start }
}

function headerOf(line: unknown): Header {
  const { rowferry_backup: format } = z.object({ rowferry_backup: z.int() }).parse(line)
  if (format > 2)
    throw new FormatError(`it has format ${format}, which only a newer version of Rowferry can read`)
  return Header.parse(line)
}

// Explicit reads, because the end of a read stream would close the file.
async function* chunksOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void> {
  for (let at = start; at < end; ) {
    const bytes = await readAt(file, at, Math.min(CHUNK_BYTES, end - at))
    if (bytes.length === 0) return
    at += bytes.length
    yield bytes
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Passes the unpacked bytes to `use`. Unless `whole`, it may leave some unread. */
async function unpacked<T>(
  packed: AsyncIterable<Buffer>,
  use: (bytes: AsyncIterable<Buffer>) => Promise<T>,
  { whole = true } = {},
): Promise<T> {
  const gunzip = createGunzip()
  if (whole) return pipeline(Readable.from(packed), gunzip, use)
  const source = Readable.from(packed)
  // A pipe does not propagate read errors.
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    return await use(gunzip)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

/** Describes a fault of the file; other errors are returned unchanged. */
async function sentence<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const reason = faultOf(error)
    if (reason === undefined) throw error
    throw new BackupError(`${file} is no whole backup of Rowferry: ${reason}.`)
  }
}

function faultOf(error: unknown): string | undefined {
  if (error instanceof FormatError) return error.message
  if (error instanceof z.ZodError) return 'its lines are others'
  if (!(error instanceof Error && 'code' in error)) return undefined
  if (String(error.code).startsWith('Z_')) return 'what is compressed in it is damaged or cut off'
  return 'syscall' in error && error.syscall === 'read' ? reasonOf(error) : undefined
}
