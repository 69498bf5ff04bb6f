import { readPart } from './package-parts.ts'
import { TemporaryFile } from './temporary-file.ts'
import { TextCollector } from './text-collector.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Bytes of texts in memory; more are in a temporary file. */
const MEMORY_BYTES = 32 * 1_048_576
const BLOCK_BYTES = 1_048_576
/** Bytes per read of the file. Small, because texts of a sorted sheet are in no order. */
const WINDOW_BYTES = 16_384

/**
 * The texts that cells refer to by number, as UTF-8 outside of the heap: a million texts as strings would take twice the memory.
 * Must be closed, because many of them are in a temporary file.
 */
export class SharedStrings {
  /** Where each text ends. */
  #ends = new Float64Array(1024)
  #count = 0
  readonly #blocks: Buffer[] = []
  #block = Buffer.alloc(0)
  #used = 0
  #bytes = 0
  #file: TemporaryFile | null = null
  #window: Buffer = Buffer.alloc(0)
  #windowStart = 0
  readonly #memory: number

  constructor(memory = MEMORY_BYTES) {
    this.#memory = memory
  }

  get count(): number {
    return this.#count
  }

  get isInFile(): boolean {
    return this.#file !== null
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
    this.#append(bytes)
    if (this.#count === this.#ends.length) {
      const longer = new Float64Array(2 * this.#count)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#ends[this.#count] = this.#bytes
    this.#count += 1
  }

  /** Ends adding. */
  finish(): void {
    this.#flush()
    if (this.#file === null && this.#blocks.length > 1)
      this.#blocks.splice(0, Infinity, Buffer.concat(this.#blocks))
  }

  /** The text with this number; undefined if there is none. */
  text(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
    const end = this.#ends[index] ?? start
    if (this.#file === null) return this.#blocks[0]?.toString('utf8', start, end) ?? ''
    if (start < this.#windowStart || end > this.#windowStart + this.#window.length)
      this.#load(this.#file, start, end)
    return this.#window.toString('utf8', start - this.#windowStart, end - this.#windowStart)
  }

  close(): void {
    this.#file?.close()
    this.#file = null
    this.#count = 0
    this.#blocks.length = 0
  }

  #append(bytes: Buffer): void {
    if (this.#used + bytes.length > this.#block.length) {
      this.#flush()
      this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, bytes.length))
    }
    this.#used += bytes.copy(this.#block, this.#used)
    this.#bytes += bytes.length
  }

  #flush(): void {
    if (this.#used > 0) this.#blocks.push(this.#block.subarray(0, this.#used))
    this.#block = Buffer.alloc(0)
    this.#used = 0
    if (this.#file === null && this.#bytes <= this.#memory) return
    this.#file ??= new TemporaryFile()
    for (const block of this.#blocks.splice(0)) this.#file.append(block)
  }

  #load(file: TemporaryFile, start: number, end: number): void {
    this.#window = file.read(start, Math.min(file.size, Math.max(start + WINDOW_BYTES, end)))
    this.#windowStart = start
  }
}

/** Reads the shared texts of a workbook. Throws OriginFailure. */
export async function readSharedStrings(zip: ZipArchive, part: string): Promise<SharedStrings> {
  const strings = new SharedStrings()
  const collector = new TextCollector()
  try {
    await readPart(zip.source(part), {
      open(name, tag, closes) {
        if (name === 'si') {
          if (closes) strings.add('')
          else collector.begin()
        } else collector.open(name, tag, closes)
      },
      text: (text, isLiteral) => collector.text(text, isLiteral),
      close(name) {
        if (name === 'si') strings.add(collector.end())
        else collector.close(name)
      },
    })
  } catch (error) {
    strings.close()
    throw error
  }
  strings.finish()
  return strings
}
