import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiSettings } from '../../../contract/connections.ts'
import { describeFileFormat, type FileFormat } from '../../../contract/file-formats.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import type { Row } from '../../../contract/tables.ts'
import { OriginFailure, type Resume, type SourceReading } from '../connector.ts'
import type { OriginUse } from '../origin-use.ts'
import { rowText } from '../row-json.ts'
import { Checkpoint } from './checkpoint.ts'
import { readFile } from './csv-file.ts'
import { PageParser, type ParserLimits } from './page-parser.ts'
import { type PageRead, readPages } from './paged.ts'
import { firstPage, requestFor } from './pages.ts'
import type { Reply } from './reply.ts'
import { RowTable } from './row-table.ts'
import { ApiSession, type SessionOptions } from './session.ts'
import { conditionsOf, validatorOf } from './validator.ts'

export type ReadingOptions = SessionOptions & {
  /** Called with the first reply that is held whole; answers by which settings the list is read. */
  inspect?: (reply: Reply, text: string) => ApiSettings
  /** Pages after which the reading ends, whatever follows; default: none. */
  max_pages?: number
  /** What is parsed in a process of its own, and how much that may take. */
  parser?: ParserLimits
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** One reading of an API. */
export class ApiReading implements SourceReading {
  readonly batches: AsyncIterable<Uint8Array[]>
  checkpoint: Checkpoint | null = null
  total: number | null = null
  validator: unknown = null
  unchanged = false
  changed: SourceReading['changed'] = null
  /** Pages so far, those of an earlier reading included. */
  pages = 0
  /** Whether there is more than what was read so far. */
  has_more = true
  /** Whether rows are passed on before the reply is complete. */
  readonly isStreamed: boolean
  readonly #settings: ApiSettings
  readonly #options: ReadingOptions
  readonly #session: ApiSession
  readonly #parser: PageParser
  readonly #table: RowTable
  readonly #chunk_size: number
  readonly #warnings = new Set<string>()
  readonly doubts: string[] = []
  #isHeaderPassed: boolean

  constructor(
    settings: ApiSettings,
    use: OriginUse,
    options: ReadingOptions,
    { resume, validator }: { resume?: Resume; validator?: unknown } = {},
  ) {
    this.#settings = settings
    this.#options = options
    this.#session = new ApiSession(settings, use, options)
    this.#parser = new PageParser(use, options.parser)
    this.#chunk_size = use.chunk_size
    const before = { columns: resume?.header.map((name) => String(name ?? '')) ?? [], rows: 0 }
    if (resume) before.rows = resume.rows - 1
    const { max_rows } = use
    this.#table = new RowTable(this.#session.redactor, { max_rows, delimiter: settings.delimiter }, before)
    this.#isHeaderPassed = resume !== undefined
    this.isStreamed = settings.format === 'csv' && settings.paging.style === 'none'
    this.batches = this.#guarded(
      this.isStreamed
        ? this.#streamed(validator)
        : this.#paged(resume ? Checkpoint.parse(resume.checkpoint) : null, validator),
    )
  }

  get requests(): number {
    return this.#session.requests
  }

  get header(): Row | null {
    return this.#isHeaderPassed ? this.#table.header : null
  }

  get warnings(): string[] {
    const changed = this.changed ? [this.changed.message] : []
    return [...changed, ...this.#warnings, ...this.#session.warnings, ...this.#table.warnings]
  }

  /** How CSV was read; null: it was none. */
  get file_format(): FileFormat | null {
    const { dialect } = this.#table
    const { encoding } = this.#session
    return dialect && encoding !== null
      ? { delimiter: dialect.delimiter, encoding, quote: dialect.quote }
      : null
  }

  get remarks(): string[] {
    return this.file_format ? [describeFileFormat(this.file_format)] : []
  }

  /** The same batches, but that no failure shows a secret, and that no connection outlives them. */
  async *#guarded(batches: AsyncIterable<Uint8Array[]>): AsyncGenerator<Uint8Array[]> {
    try {
      yield* batches
      if (!this.#isHeaderPassed && this.#table.columns.length > 0) yield this.#batch([])
    } catch (error) {
      if (!(error instanceof OriginFailure)) throw error
      throw new OriginFailure(error.kind, this.#session.redactor.text(error.message))
    } finally {
      await Promise.all([this.#session.close(), this.#parser.close()])
    }
  }

  async *#streamed(validator: unknown): AsyncGenerator<Uint8Array[]> {
    const request = requestFor(this.#settings, firstPage(this.#settings.paging))
    const headers = [...request.headers, ...conditionsOf(this.#settings, validator)]
    const { reply, pieces } = await this.#session.stream({ ...request, headers })
    this.#note(reply)
    this.pages = 1
    if (!this.unchanged)
      for await (const rows of readFile(this.#watched(pieces, reply), reply, this.#table))
        yield* this.#batchesOf(rows)
    this.has_more = false
  }

  /** The same pieces of a CSV file; one that may have been cut within its last row is noted. */
  async *#watched(pieces: AsyncIterable<Uint8Array>, { isOpenEnded }: Reply): AsyncGenerator<Uint8Array> {
    let last: number | undefined
    for await (const piece of pieces) {
      last = piece.at(-1) ?? last
      yield piece
    }
    if (isOpenEnded && last !== undefined && last !== LINE_FEED && last !== CARRIAGE_RETURN)
      this.doubts.push(messages.reply_open_ended)
  }

  async *#paged(from: Checkpoint | null, validator: unknown): AsyncGenerator<Uint8Array[]> {
    const settings = this.#settings
    const isWhole = settings.paging.style === 'none'
    const pages = readPages({
      session: this.#session,
      parser: this.#parser,
      settings,
      table: this.#table,
      from,
      conditions: isWhole ? conditionsOf(settings, validator) : [],
      inspect: this.#options.inspect,
      max_pages: this.#options.max_pages ?? Number.POSITIVE_INFINITY,
    })
    for (;;) {
      const { value, done } = await pages.next()
      if (done) {
        this.changed = value
        return
      }
      yield* this.#page(value, isWhole)
    }
  }

  async *#page(
    { reply, batches, after, warnings }: PageRead,
    isWhole: boolean,
  ): AsyncGenerator<Uint8Array[]> {
    this.#notePage(after, warnings)
    if (isWhole) this.#note(reply)
    for (const [index, rows] of batches.entries()) {
      // A page that is read alone is begun anew by the next reading; others are resumed after their last batch.
      this.checkpoint = isWhole || index < batches.length - 1 ? null : this.#storable(after)
      if (isWhole) yield* this.#batchesOf(rows)
      else yield this.#batch(rows)
      await nextTurn()
    }
    if (!isWhole) this.checkpoint = this.#storable(after)
  }

  #notePage({ next, pages, total }: Checkpoint, warnings: PageRead['warnings']): void {
    this.pages = pages
    this.total = total
    this.has_more = next !== null
    for (const warning of warnings) this.#warnings.add(warning)
  }

  #note(reply: Reply): void {
    this.unchanged = reply.status === 304
    this.validator = this.#storable(validatorOf(this.#settings, reply))
  }

  /** What may be stored in the clear: an API may answer with the very secret that it was sent. Null: not this. */
  #storable<Kept>(kept: Kept): Kept | null {
    return this.#session.redactor.isIn(JSON.stringify(kept)) ? null : kept
  }

  *#batchesOf(rows: Uint8Array[]): Generator<Uint8Array[]> {
    for (let at = 0; at < rows.length; at += this.#chunk_size)
      yield this.#batch(rows.slice(at, at + this.#chunk_size))
  }

  /** The header goes before the first row. */
  #batch(rows: Uint8Array[]): Uint8Array[] {
    if (this.#isHeaderPassed) return rows
    this.#isHeaderPassed = true
    return [Buffer.from(rowText(this.#table.header)), ...rows]
  }
}
