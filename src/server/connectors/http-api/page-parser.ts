import { join } from 'node:path'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import { IsolatedProcess, type Isolation } from '../isolated/child.ts'
import type { OriginUse } from '../origin-use.ts'
import { compilePaths } from './json-reply.ts'
import { ParseEnd, type ParseRequest } from './page-talk.ts'
import { type PageJob, type PageSettings, type ParsedPage, parsePage } from './parse-page.ts'
import { BriefFailure } from './refusals.ts'

const OBJECT = 0x7b

/** What is parsed where, and how much it may take. */
export type ParserLimits = {
  /** Larger replies are parsed in a process of their own, and so are those whose paths take time out of proportion to them. */
  in_place_bytes: number
  /** Of that process. */
  megabytes: number
  /** Of processor time for one reply. */
  cpu_seconds: number
}

/** 256 kB take some ten milliseconds; a reply of 50 MB takes some 300 MB and three seconds. */
const DEFAULT_LIMITS: ParserLimits = { in_place_bytes: 262_144, megabytes: 1024, cpu_seconds: 60 }

type Use = Pick<OriginUse, 'signal' | 'max_rows'>

/** Parses the JSON replies of one reading, large ones so that nothing else in this process waits. `close` ends what is under way. */
export class PageParser {
  readonly #use: Use
  readonly #limits: ParserLimits
  #process: IsolatedProcess | null = null

  constructor(use: Use, limits = DEFAULT_LIMITS) {
    this.#use = use
    this.#limits = limits
  }

  /** Throws OriginFailure, also where the limits are passed, or the signal's reason. */
  async parse(job: PageJob, bytes: Uint8Array): Promise<ParsedPage> {
    const { in_place_bytes } = this.#limits
    if (
      in_place_bytes === Number.POSITIVE_INFINITY ||
      (bytes.length <= in_place_bytes && isLinear(job.settings))
    )
      return parsePage(job, Buffer.from(bytes).toString('utf8'))
    const { megabytes, cpu_seconds } = this.#limits
    const isolation: Isolation = { program: PROGRAM, megabytes, cpu_seconds }
    this.#process ??= new IsolatedProcess(isolation, this.#use.signal)
    try {
      return await this.#parseApart(this.#process, job, bytes)
    } catch (error) {
      this.#use.signal.throwIfAborted()
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
      if (rows.length > this.#use.max_rows)
        throw new OriginFailure('too_large', messages.rows_too_many(this.#use.max_rows))
      if (last && isEnd) return pageOf(rows, last)
    }
    // The next reply is for another process.
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
