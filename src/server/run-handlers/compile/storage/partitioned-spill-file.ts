import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runMessages } from '../../../../contract/runs/client-messages.ts'

import { RunFailure } from '../../../engine/types.ts'
import { LoadedPartition, rowLength, type SpilledRow, writeRow } from './spilled-rows.ts'

export const RECORDS_PER_PARTITION = 16_384
/** Maximum size of what is loaded at a time; exceeded only by a single record. Two such parts are in memory: one is prefetched. */
const MAX_LOADED_BYTES = 32_000_000
const BLOCK_BYTES = 131_072
const BLOCKS_PER_WRITE = 8

type Stored = { position: number; length: number }
type Part = { partition: Partition; first: number; count: number }
/** `block`: bytes that are not written yet, up to `end`; `stored`: blocks in the file; `bytes`: size of all of them. */
type Partition = { block: Buffer; end: number; stored: Stored[]; bytes: number }

/**
 * Groups rows by record with little memory: rows of 16,384 consecutive records form a partition, whose full blocks go to one unlinked
 * temporary file. Loading returns one partition after the other, each with its rows in the order in which they were added.
 */
export class PartitionedSpillFile {
  readonly #folder: string
  readonly #partitions: Partition[] = []
  readonly #full: { partition: Partition; bytes: Buffer }[] = []
  readonly #free: Buffer[] = []
  #file: FileHandle | undefined
  #position = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Adds a row: its bytes from `start` up to, not including, `end`. Call `flush` regularly. */
  add(row: SpilledRow, bytes: Buffer, start: number, end: number): void {
    const partition = this.#partitionOf(row.record)
    const length = rowLength(start, end)
    if (partition.end + length > partition.block.length) {
      if (partition.end > 0) this.#full.push({ partition, bytes: partition.block.subarray(0, partition.end) })
      partition.block =
        length > BLOCK_BYTES
          ? Buffer.allocUnsafe(length)
          : (this.#free.pop() ?? Buffer.allocUnsafe(BLOCK_BYTES))
      partition.end = 0
    }
    writeRow(partition.block, partition.end, row, bytes, start, end)
    partition.end += length
    partition.bytes += length
  }

  /** Starts writing full blocks once there are several; waits for the previous write. Throws RunFailure if the disk is full. */
  async flush(): Promise<void> {
    if (this.#full.length < BLOCKS_PER_WRITE) return
    await this.#writing
    this.#writing = this.#write()
    // Awaited by the next flush; this marks a rejection as handled until then.
    this.#writing.catch(() => {})
  }

  /** Loads all rows, part by part, and prefetches the next part. The yielded object is reused. */
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
        // Awaited for the next part; this marks a rejection as handled until then.
        ahead.catch(() => {})
        yield loaded
        spare = loaded
      }
    } finally {
      // The caller closes the file next, so a read must not be under way.
      await ahead.catch(() => {})
    }
  }

  *#parts(): Generator<Part, undefined> {
    for (const [n, partition] of this.#partitions.entries()) {
      const parts = Math.max(1, Math.ceil(partition.bytes / MAX_LOADED_BYTES))
      const max = Math.ceil(RECORDS_PER_PARTITION / parts)
      for (let part = 0; part < parts; part += 1) {
        const first = n * RECORDS_PER_PARTITION + part * max
        yield { partition, first, count: Math.min(max, (n + 1) * RECORDS_PER_PARTITION - first) }
      }
    }
  }

  async #loadPart({ partition, first, count }: Part, loaded: LoadedPartition): Promise<void> {
    loaded.begin(first, count)
    for (const blocks of batches(partition.stored)) await this.#read(loaded, blocks)
    partition.block.copy(loaded.room(partition.end), 0, 0, partition.end)
    loaded.accept(partition.end)
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
    loaded.accept(bytes)
  }

  async #write(): Promise<void> {
    const full = this.#full.splice(0)
    this.#file ??= await openUnlinkedTempFile(this.#folder)
    await writeWhole(
      this.#file,
      full.map(({ bytes }) => bytes),
      this.#position,
    ).catch(refuseFull)
    for (const { partition, bytes } of full) {
      partition.stored.push({ position: this.#position, length: bytes.length })
      this.#position += bytes.length
      if (bytes.buffer.byteLength === BLOCK_BYTES) this.#free.push(Buffer.from(bytes.buffer))
    }
  }

  #partitionOf(record: number): Partition {
    const n = Math.floor(record / RECORDS_PER_PARTITION)
    while (this.#partitions.length <= n)
      this.#partitions.push({ block: Buffer.alloc(0), end: 0, stored: [], bytes: 0 })
    const partition = this.#partitions[n]
    if (partition === undefined) throw new RangeError(`There is no record ${record}`)
    return partition
  }
}

/** Blocks that are read in parallel: several, or a single large one. */
function* batches(stored: readonly Stored[]): Generator<Stored[]> {
  let some: Stored[] = []
  let bytes = 0
  for (const block of stored) {
    if (bytes + block.length > BLOCKS_PER_WRITE * BLOCK_BYTES && some.length > 0) {
      yield some
      some = []
      bytes = 0
    }
    some.push(block)
    bytes += block.length
  }
  if (some.length > 0) yield some
}

/** Writes all blocks. A nearly full disk takes only a part of a write; the rest then succeeds or throws. */
async function writeWhole(file: FileHandle, blocks: readonly Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(blocks, position)
  if (bytesWritten === blocks.reduce((sum, { length }) => sum + length, 0)) return
  const rest = Buffer.concat(blocks).subarray(bytesWritten)
  for (let at = 0; at < rest.length; )
    at += (await file.write(rest, at, rest.length - at, position + bytesWritten + at)).bytesWritten
}

/** A temporary file that the operating system frees when the process ends. Throws RunFailure if the disk is full. */
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
