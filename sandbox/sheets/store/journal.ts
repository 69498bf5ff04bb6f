import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { jsonBytes } from '../../json-text.ts'

/** A journal entry: book, time, kind of change, and seed of its random numbers. */
export const Entry = z.object({
  at: z.string(),
  seed: z.number().int().nonnegative(),
  overflow: z.enum(['refuse', 'grow']).optional(),
  /** Account of the caller; missing for changes by the sandbox itself. */
  by: z.string().optional(),
  id: z.string(),
  kind: z.string(),
  args: z.unknown(),
})
export type Entry = z.infer<typeof Entry>

/**
 * Append-only file of changes, one JSON object per line. Entries survive the end of the process, but not of the machine: the file
 * is not fsynced.
 */
export class Journal {
  readonly path: string
  readonly #file: number
  #bytes: number

  private constructor(path: string, file: number, bytes: number) {
    this.path = path
    this.#file = file
    this.#bytes = bytes
  }

  /** Opens or creates the file and returns its entries. Truncates an incomplete last line, whose change was never acknowledged. */
  static open(path: string): { journal: Journal; entries: Entry[] } {
    const file = openSync(path, 'a+')
    const content = readFileSync(path)
    const bytes = content.lastIndexOf('\n') + 1
    ftruncateSync(file, bytes)
    const lines = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
    const entries = lines.map((line) => Entry.parse(JSON.parse(line)))
    return { journal: new Journal(path, file, bytes), entries }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns after the write() call. On failure, restores the file and throws. */
  append(entry: Entry): void {
    const line = jsonBytes(entry, '\n')
    try {
      appendFileSync(this.#file, line)
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes)
      throw error
    }
    this.#bytes += line.length
  }

  close(): void {
    closeSync(this.#file)
  }
}
