import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { RunFailure } from '../../engine/types.ts'
import { LoadedRows, rowLength, type ShelvedRow, writeRow } from './shelved-rows.ts'

/** Records whose rows lie together. */
export const RECORDS_IN_SLICE = 16_384
/** Of rows that are loaded at a time; more only where those of one record are. */
const LOADED_BYTES = 32_000_000
const BLOCK_BYTES = 131_072
/** Blocks that are written at a time. */
const BLOCKS_AT_ONCE = 8

type Slice = { block: Buffer; end: number; stored: { position: number; length: number }[]; bytes: number }

/**
 * Keeps rows by the records that they belong to, in the order in which they come: those of some thousand records together, in a file
 * that has no name any more, as far as they fill blocks.
 */
export class RowShelf {
  readonly #folder: string
  readonly #slices: Slice[] = []
  readonly #full: { slice: Slice; bytes: Buffer }[] = []
  readonly #free: Buffer[] = []
  #file: FileHandle | undefined
  #position = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Adds a row: its bytes from `start` up to, not including, `end`. `flush()` is to be called now and then. */
  add(row: ShelvedRow, bytes: Buffer, start: number, end: number): void {
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

  /** Writes blocks that are full to the file, some at a time. Throws RunFailure when there is no room for them. */
  async flush(): Promise<void> {
    if (this.#full.length >= BLOCKS_AT_ONCE) await this.#write()
  }

  /** All rows, of some records at a time. What is yielded is used again for the records that follow. */
  async *load(): AsyncGenerator<LoadedRows> {
    if (this.#full.length > 0) await this.#write()
    const loaded = new LoadedRows()
    for (const [n, slice] of this.#slices.entries()) {
      const parts = Math.max(1, Math.ceil(slice.bytes / LOADED_BYTES))
      const count = Math.ceil(RECORDS_IN_SLICE / parts)
      for (let part = 0; part < parts; part += 1) {
        const first = n * RECORDS_IN_SLICE + part * count
        loaded.begin(first, Math.min(count, (n + 1) * RECORDS_IN_SLICE - first))
        for (const { position, length } of slice.stored) {
          await this.#file?.read(loaded.room(length), 0, length, position)
          loaded.keep(length)
        }
        slice.block.copy(loaded.room(slice.end), 0, 0, slice.end)
        loaded.keep(slice.end)
        yield loaded
      }
    }
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }

  async #write(): Promise<void> {
    this.#file ??= await nameless(this.#folder)
    const full = this.#full.splice(0)
    await this.#file
      .writev(
        full.map(({ bytes }) => bytes),
        this.#position,
      )
      .catch(refuseFull)
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

/** A file that goes with the process that has it open. Throws RunFailure when there is no room for it. */
async function nameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `compile-${randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFull)
  const file = await open(path, 'wx+', 0o600).catch(refuseFull)
  await unlink(path)
  return file
}

function refuseFull(error: unknown): never {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
    throw new RunFailure('There is no room left in the data folder of the worker.', {
      retryable: true,
      cause: error,
    })
  throw error
}
