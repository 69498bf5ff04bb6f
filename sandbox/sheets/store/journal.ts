import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { jsonBytes } from '../../json-text.ts'

/** One change as the journal keeps it: to which book, when, of which kind, and the seed of its random numbers. */
export const Entry = z.object({
  at: z.string(),
  seed: z.number().int().nonnegative(),
  overflow: z.enum(['refuse', 'grow']).optional(),
  /** The account that asked; absent where the sandbox itself did. */
  by: z.string().optional(),
  id: z.string(),
  kind: z.string(),
  args: z.unknown(),
})
export type Entry = z.infer<typeof Entry>

/**
 * A file of changes, one JSON line each. A line that was written survives the end of the process (not of the machine: nothing is
 * synced to the disk).
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

  /** Opens or makes the file and returns the changes in it. A torn last line, whose change nobody was told of, is cut off. */
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

  /** Returns once the operating system has the line. Throws, leaving the file as it was, when it cannot take it. */
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
