import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { describeFileFormat, type FileFormat } from '../../../contract/connections/file-formats.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import type { Row } from '../../../contract/tables.ts'
import { OriginFailure, type Resume, type SourceRead } from '../connector.ts'
import { rowText } from '../row-json.ts'
import type { SourceContext } from '../source-context.ts'
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
  /** Called with the first complete reply; returns the settings for the list. */
  inspect?: (reply: Reply, text: string) => ApiSettings
  /** Maximum pages; default: unlimited. */
  max_pages?: number
  /** Limits of parsing. */
  parser?: ParserLimits
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A reading of an API. */
export class ApiReading implements SourceRead {
  readonly batches: AsyncIterable<Uint8Array[]>
  checkpoint: Checkpoint | null = null
  total: number | null = null
  validator: unknown = null
  unchanged = false
  changed: SourceRead['changed'] = null
  /** Pages so far, including those of an earlier reading. */
  pages = 0
  /** Whether there is more to read. */
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
  readonly incompleteReasons: string[] = []
  #isHeaderPassed: boolean

  constructor(
    settings: ApiSettings,
    context: SourceContext,
    options: ReadingOptions,
    { resume, validator }: { resume?: Resume; validator?: unknown } = {},
  ) {
    this.#settings = settings
    this.#options = options
    this.#session = new ApiSession(settings, context, options)
    this.#parser = new PageParser(context, options.parser)
    this.#chunk_size = context.chunk_size
    const before = { columns: resume?.header.map((name) => String(name ?? '')) ?? [], rows: 0 }
    if (resume) before.rows = resume.rows - 1
    const { max_rows } = context
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

  /** Dialect of CSV; null for other formats. */
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

  /** Passes on batches; redacts secrets from failures and closes connections at the end. */
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

  /** Passes on chunks of a CSV file; records whether it may be truncated within its last row. */
  async *#watched(pieces: AsyncIterable<Uint8Array>, { isOpenEnded }: Reply): AsyncGenerator<Uint8Array> {
    let last: number | undefined
    for await (const piece of pieces) {
      last = piece.at(-1) ?? last
      yield piece
    }
    if (isOpenEnded && last !== undefined && last !== LINE_FEED && last !== CARRIAGE_RETURN)
      this.incompleteReasons.push(originMessages.reply_open_ended)
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
      // A single page is read again; a list resumes after its last batch.
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

  /** Returns a value that may be stored unencrypted; null if it contains a secret, which an API may echo. */
  #storable<Kept>(kept: Kept): Kept | null {
    return this.#session.redactor.isIn(JSON.stringify(kept)) ? null : kept
  }

  *#batchesOf(rows: Uint8Array[]): Generator<Uint8Array[]> {
    for (let at = 0; at < rows.length; at += this.#chunk_size)
      yield this.#batch(rows.slice(at, at + this.#chunk_size))
  }

  /** The header precedes the first row. */
  #batch(rows: Uint8Array[]): Uint8Array[] {
    if (this.#isHeaderPassed) return rows
    this.#isHeaderPassed = true
    return [Buffer.from(rowText(this.#table.header)), ...rows]
  }
}
