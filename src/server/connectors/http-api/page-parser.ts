import { join } from 'node:path'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { IsolatedProcess, type Isolation } from '../isolated/child.ts'
import type { SourceContext } from '../source-context.ts'
import { compilePaths } from './json-reply.ts'
import { ParseEnd, type ParseRequest } from './parse-messages.ts'
import { type PageJob, type PageSettings, type ParsedPage, parsePage } from './parse-page.ts'
import { BriefFailure } from './refusals.ts'

const OBJECT = 0x7b

/** Limits of parsing. */
export type ParserLimits = {
  /** Larger replies are parsed in a separate process, as are those whose paths need more than linear time. */
  in_place_bytes: number
  /** Memory limit of that process. */
  megabytes: number
  /** Processor time per reply. */
  cpu_seconds: number
}

/** 256 kB take about 10 ms; 50 MB take about 300 MB and 3 s. */
const DEFAULT_LIMITS: ParserLimits = { in_place_bytes: 262_144, megabytes: 1024, cpu_seconds: 60 }

type ParserContext = Pick<SourceContext, 'signal' | 'max_rows'>

/** Parses JSON replies of one reading, large ones in a separate process. `close` ends running work. */
export class PageParser {
  readonly #context: ParserContext
  readonly #limits: ParserLimits
  #process: IsolatedProcess | null = null

  constructor(context: ParserContext, limits = DEFAULT_LIMITS) {
    this.#context = context
    this.#limits = limits
  }

  /** Throws OriginFailure, also if limits are exceeded, or the signal's reason. */
  async parse(job: PageJob, bytes: Uint8Array): Promise<ParsedPage> {
    const { in_place_bytes } = this.#limits
    if (
      in_place_bytes === Number.POSITIVE_INFINITY ||
      (bytes.length <= in_place_bytes && isLinear(job.settings))
    )
      return parsePage(job, Buffer.from(bytes).toString('utf8'))
    const { megabytes, cpu_seconds } = this.#limits
    const isolation: Isolation = { program: PROGRAM, megabytes, cpu_seconds }
    this.#process ??= new IsolatedProcess(isolation, this.#context.signal)
    try {
      return await this.#parseApart(this.#process, job, bytes)
    } catch (error) {
      this.#context.signal.throwIfAborted()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#process?.end()
    this.#process = null
  }

  async #parseApart(
    child: IsolatedProcess,
    { settings, reply, isFirst, columns }: PageJob,
    bytes: Uint8Array,
  ): Promise<ParsedPage> {
    const request: ParseRequest = {
      bytes: bytes.length,
      settings,
      headers: reply.headers,
      url: reply.url.href,
      isFirst,
      columns: [...columns],
    }
    child.send(JSON.stringify(request), bytes)
    const rows: Uint8Array[] = []
    for (;;) {
      const { value: lines, done } = await child.lines.next()
      if (done) break
      const last = lines.at(-1)
      const isEnd = last?.[0] === OBJECT
      for (const row of isEnd ? lines.slice(0, -1) : lines) rows.push(row)
      if (rows.length > this.#context.max_rows)
        throw new OriginFailure('too_large', originMessages.rows_too_many(this.#context.max_rows))
      if (last && isEnd) return pageOf(rows, last)
    }
    // The next reply starts a new process.
    this.#process = null
    throw await child.failure()
  }
}

const PROGRAM = join(import.meta.dirname, 'parse-process.ts')

function isLinear(settings: PageSettings): boolean {
  const { list, total, next } = compilePaths(settings)
  return [list, total, next].every((path) => path === null || path.isLinear)
}

function pageOf(rows: Uint8Array[], line: Uint8Array): ParsedPage {
  const end = ParseEnd.parse(JSON.parse(Buffer.from(line).toString('utf8')))
  if (!('kind' in end)) return { rows, ...end }
  const { kind, message, tries } = end
  throw tries === null ? new OriginFailure(kind, message) : new BriefFailure(message, tries)
}
