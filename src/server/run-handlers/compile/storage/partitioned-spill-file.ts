import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runMessages } from '../../../../contract/run-messages.ts'
import { RunFailure } from '../../../engine/types.ts'
import { LoadedPartition, rowLength, type SpilledRow, writeRow } from './spilled-rows.ts'

/** Records whose rows lie together. */
export const RECORDS_IN_SLICE = 16_384
/** Of rows that are loaded at a time, twice; more only where those of one record are. */
const LOADED_BYTES = 32_000_000
const BLOCK_BYTES = 131_072
/** Blocks that are written at a time. */
const BLOCKS_AT_ONCE = 8

type Stored = { position: number; length: number }
type Part = { slice: Slice; first: number; count: number }
type Slice = { block: Buffer; end: number; stored: Stored[]; bytes: number }

/**
 * Keeps rows by the records that they belong to, in the order in which they come: those of some thousand records together, in a file
 * that has no name any more, as far as they fill blocks.
 */
export class PartitionedSpillFile {
  readonly #folder: string
  readonly #slices: Slice[] = []
  readonly #full: { slice: Slice; bytes: Buffer }[] = []
  readonly #free: Buffer[] = []
  #file: FileHandle | undefined
  #position = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Adds a row: its bytes from `start` up to, not including, `end`. `flush()` is to be called now and then. */
  add(row: SpilledRow, bytes: Buffer, start: number, end: number): void {
    const slice = this.#sliceOf(row.record)
    const length = rowLength(start, end)
    if (slice.end + length > slice.block.length) {
      if (slice.end > 0) this.#full.push({ slice, bytes: slice.block.subarray(0, slice.end) })
      slice.block =
        length > BLOCK_BYTES
          ? Buffer.allocUnsafe(length)
          : (this.#free.pop() ?? Buffer.allocUnsafe(BLOCK_BYTES))
      slice.end = 0
    }
    writeRow(slice.block, slice.end, row, bytes, start, end)
    slice.end += length
    slice.bytes += length
  }

  /** Writes blocks that are full to the file, some at a time, while more come. Throws RunFailure when there is no room for them. */
  async flush(): Promise<void> {
    if (this.#full.length < BLOCKS_AT_ONCE) return
    await this.#writing
    this.#writing = this.#write()
    // Awaited at the next flush; until then it is not unhandled.
    this.#writing.catch(() => {})
  }

  /** All rows, of some records at a time, the next ones loaded meanwhile. What is yielded is used again for those after them. */
  async *load(): AsyncGenerator<LoadedPartition> {
    await this.#writing
    if (this.#full.length > 0) await this.#write()
    const parts = this.#parts()
    const loadNext = async (loaded: LoadedPartition) => {
      const part = parts.next().value
      if (part !== undefined) await this.#loadPart(part, loaded)
      return part === undefined ? undefined : loaded
    }
    let spare = new LoadedPartition()
    let ahead = loadNext(new LoadedPartition())
    try {
      for (let loaded = await ahead; loaded !== undefined; loaded = await ahead) {
        ahead = loadNext(spare)
        // Awaited at the next part; until then it is not unhandled.
        ahead.catch(() => {})
        yield loaded
        spare = loaded
      }
    } finally {
      // The file is not closed while it is read.
      await ahead.catch(() => {})
    }
  }

  *#parts(): Generator<Part, undefined> {
    for (const [n, slice] of this.#slices.entries()) {
      const parts = Math.max(1, Math.ceil(slice.bytes / LOADED_BYTES))
      const most = Math.ceil(RECORDS_IN_SLICE / parts)
      for (let part = 0; part < parts; part += 1) {
        const first = n * RECORDS_IN_SLICE + part * most
        yield { slice, first, count: Math.min(most, (n + 1) * RECORDS_IN_SLICE - first) }
      }
    }
  }

  async #loadPart({ slice, first, count }: Part, loaded: LoadedPartition): Promise<void> {
    loaded.begin(first, count)
    for (const blocks of someAtATime(slice.stored)) await this.#read(loaded, blocks)
    slice.block.copy(loaded.room(slice.end), 0, 0, slice.end)
    loaded.keep(slice.end)
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#file?.close()
  }

  async #read(loaded: LoadedPartition, blocks: readonly Stored[]): Promise<void> {
    const bytes = blocks.reduce((sum, { length }) => sum + length, 0)
    const room = loaded.room(bytes)
    let at = 0
    const read = blocks.map(({ position, length }) => {
      const to = at
      at += length
      return this.#file?.read(room, to, length, position)
    })
    const found = (await Promise.all(read)).reduce((sum, part) => sum + (part?.bytesRead ?? 0), 0)
    if (found !== bytes) throw new Error(`Of ${bytes} bytes of rows that were stored ${found} are there`)
    loaded.keep(bytes)
  }

  async #write(): Promise<void> {
    const full = this.#full.splice(0)
    this.#file ??= await openUnlinkedTempFile(this.#folder)
    await writeWhole(
      this.#file,
      full.map(({ bytes }) => bytes),
      this.#position,
    ).catch(refuseFull)
    for (const { slice, bytes } of full) {
      slice.stored.push({ position: this.#position, length: bytes.length })
      this.#position += bytes.length
      if (bytes.buffer.byteLength === BLOCK_BYTES) this.#free.push(Buffer.from(bytes.buffer))
    }
  }

  #sliceOf(record: number): Slice {
    const n = Math.floor(record / RECORDS_IN_SLICE)
    while (this.#slices.length <= n)
      this.#slices.push({ block: Buffer.alloc(0), end: 0, stored: [], bytes: 0 })
    const slice = this.#slices[n]
    if (slice === undefined) throw new RangeError(`There is no record ${record}`)
    return slice
  }
}

/** Blocks that are read at a time: several, or one that is large. */
function* someAtATime(stored: readonly Stored[]): Generator<Stored[]> {
  let some: Stored[] = []
  let bytes = 0
  for (const block of stored) {
    if (bytes + block.length > BLOCKS_AT_ONCE * BLOCK_BYTES && some.length > 0) {
      yield some
      some = []
      bytes = 0
    }
    some.push(block)
    bytes += block.length
  }
  if (some.length > 0) yield some
}

/** Where there is little room left, a file takes a part of what it is given and refuses the rest. */
async function writeWhole(file: FileHandle, blocks: readonly Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(blocks, position)
  if (bytesWritten === blocks.reduce((sum, { length }) => sum + length, 0)) return
  const rest = Buffer.concat(blocks).subarray(bytesWritten)
  for (let at = 0; at < rest.length; )
    at += (await file.write(rest, at, rest.length - at, position + bytesWritten + at)).bytesWritten
}

/** A file that goes with the process that has it open. Throws RunFailure when there is no room for it. */
async function openUnlinkedTempFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `compile-${randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFull)
  const file = await open(path, 'wx+', 0o600).catch(refuseFull)
  await unlink(path)
  return file
}

function refuseFull(error: unknown): never {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
    throw new RunFailure(runMessages.no_room, {
      retryable: true,
      cause: error,
    })
  throw error
}
