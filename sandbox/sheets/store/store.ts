import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Book, BookState } from '../model/book.ts'
import { type Entry, Journal } from './journal.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'

const COMPACT_AT_BYTES = 64 * 1024 * 1024
/** Compaction delays requests. It starts after this idle time, or when the journal exceeds this multiple of its limit. */
const QUIET_MS = 3_000
const MAX_SIZE_FACTOR = 4

/** Names the snapshots (id → file name) that form the state before journal `journal`. */
const Manifest = z.object({ journal: z.number().int().positive(), books: z.record(z.string(), z.string()) })
type Manifest = z.infer<typeof Manifest>

interface Owner {
  restore(book: Book): void
  replay(entry: Entry): void
  books(): Iterable<Book>
}

/**
 * Storage of the books. `manifest.json` names one snapshot per book and the journal to replay on top. Compaction starts a new
 * journal, writes the changed books in the background and then replaces the manifest atomically. A crash at any time leaves either
 * the old or the new set.
 */
export class Store {
  readonly #directory: string
  readonly #owner: Owner
  readonly #compactAtBytes: number
  /** State in the latest snapshot of each book. */
  readonly #saved = new Map<string, BookState>()
  #manifest: Manifest
  #journal: Journal
  #number: number
  #compaction: Promise<void> | null = null
  #pause: NodeJS.Timeout | null = null

  private constructor(directory: string, owner: Owner, compactAtBytes: number) {
    this.#directory = directory
    this.#owner = owner
    this.#compactAtBytes = compactAtBytes
    this.#manifest = readManifest(directory)
    this.#number = Math.max(this.#manifest.journal, ...journalNumbers(directory))
    this.#journal = Journal.open(this.#path(this.#number)).journal
  }

  /** Loads all snapshots and replays the journal. Throws if a file is damaged or missing. */
  static async open(directory: string, owner: Owner, compactAtBytes = COMPACT_AT_BYTES): Promise<Store> {
    mkdirSync(directory, { recursive: true })
    const store = new Store(directory, owner, compactAtBytes)
    for (const file of Object.values(store.#manifest.books)) {
      const book = await readSnapshot(join(directory, file))
      store.#saved.set(book.id, book.state)
      owner.restore(book)
    }
    for (let number = store.#manifest.journal; number <= store.#number; number++) {
      const { journal, entries } = Journal.open(store.#path(number))
      journal.close()
      for (const entry of entries) owner.replay(entry)
    }
    store.#sweep()
    return store
  }

  /** Returns when the entry survives the end of this process. */
  append(entry: Entry): void {
    this.#journal.append(entry)
  }

  /** Starts a compaction if the journal is large and the sandbox is idle. Called between changes. */
  settle(): void {
    const { bytes } = this.#journal
    if (bytes < this.#compactAtBytes || this.#compaction) return
    if (bytes >= MAX_SIZE_FACTOR * this.#compactAtBytes) this.#begin()
    else this.#pause ??= setTimeout(() => this.#begin(), QUIET_MS).unref()
  }

  /** Delays compaction until the next idle period. Called for each request. */
  disturb(): void {
    this.#pause?.refresh()
  }

  /** Waits for a pending or running compaction. Throws if it fails. */
  async flush(): Promise<void> {
    if (this.#pause) this.#begin()
    await this.#compaction
  }

  async close(): Promise<void> {
    await this.flush()
    this.#journal.close()
  }

  #endPause(): void {
    if (this.#pause) clearTimeout(this.#pause)
    this.#pause = null
  }

  #begin(): void {
    this.#endPause()
    const compaction = this.#compact()
    this.#compaction = compaction
    // A failed compaction is harmless: the manifest still names the old set, and the next full journal retries.
    const settled = () => {
      this.#compaction = null
    }
    compaction.then(settled, (error: unknown) => {
      settled()
      console.error('Failed to compact the journal; it stays in use:', error)
    })
  }

  async #compact(): Promise<void> {
    const next = this.#number + 1
    const { journal } = Journal.open(this.#path(next))
    this.#journal.close()
    this.#journal = journal
    this.#number = next
    const states = [...this.#owner.books()].map((book) => ({ book, state: book.state }))
    const books: Record<string, string> = {}
    for (const { book, state } of states) {
      const current = this.#manifest.books[book.id]
      const file = `${book.id}.${next}.book`
      if (current !== undefined && this.#saved.get(book.id) === state) books[book.id] = current
      else await writeSnapshot(join(this.#directory, file), book, state)
      books[book.id] ??= file
    }
    this.#manifest = { journal: next, books }
    writeFileSync(join(this.#directory, 'manifest.new'), JSON.stringify(this.#manifest))
    renameSync(join(this.#directory, 'manifest.new'), join(this.#directory, 'manifest.json'))
    this.#saved.clear()
    for (const { book, state } of states) this.#saved.set(book.id, state)
    this.#sweep()
  }

  /** Deletes files of previous manifests and failed compactions. */
  #sweep(): void {
    const wanted = new Set(Object.values(this.#manifest.books))
    for (const name of readdirSync(this.#directory)) {
      const number = journalNumber(name)
      const stale =
        number === undefined ? name.endsWith('.book') && !wanted.has(name) : number < this.#manifest.journal
      if (stale) rmSync(join(this.#directory, name))
    }
  }

  #path(number: number): string {
    return join(this.#directory, `journal-${number}`)
  }
}

function readManifest(directory: string): Manifest {
  const path = join(directory, 'manifest.json')
  if (!existsSync(path)) return { journal: 1, books: {} }
  return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
}

function journalNumbers(directory: string): number[] {
  return readdirSync(directory)
    .map(journalNumber)
    .filter((number) => number !== undefined)
}

function journalNumber(name: string): number | undefined {
  const digits = /^journal-(\d+)$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
