import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes per piece that is read. */
const PIECE_BYTES = 131_072

/** A file without a name, which the operating system frees when it is closed. */
export class TemporaryFile {
  readonly #file: number
  #bytes = 0

  constructor() {
    const path = join(tmpdir(), `rowferry-workbook-${randomUUID()}`)
    this.#file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  }

  get size(): number {
    return this.#bytes
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
    this.#bytes += bytes.length
  }

  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(end - start)
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file, bytes, at, bytes.length - at, start + at)
      if (read === 0) throw new Error('A temporary file is shorter than what was written')
      at += read
    }
    return bytes
  }

  *pieces(): Generator<Uint8Array> {
    for (let at = 0; at < this.#bytes; at += PIECE_BYTES)
      yield this.read(at, Math.min(at + PIECE_BYTES, this.#bytes))
  }

  close(): void {
    closeSync(this.#file)
  }
}
