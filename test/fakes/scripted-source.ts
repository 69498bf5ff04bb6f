import type { Row } from '../../src/contract/tables.ts'
import type { OpenSource, SourceReference, Sources } from '../../src/server/connectors/registry.ts'
import type { ReferenceContext } from '../../src/server/connectors/table-provider.ts'

/** Result of the next read of a source. */
export type Script = {
  /** Header first. */
  rows: Row[]
  /** Rows per page; by default all. */
  page?: number
  total?: number
  validator?: string
  version?: string
  warnings?: string[]
  identity?: OpenSource['identity']
  /** Called before each page with the number of rows read so far. */
  before?: (row: number, signal: AbortSignal) => Promise<void> | void
  /** Whether a read can resume where another one ended. */
  resumes?: boolean
}

/** A source whose rows are set by the test. Records how it was read. */
export class ScriptedSource implements Sources {
  script: Script = { rows: [] }
  /** Row at which each resumed read started. */
  readonly resumed: number[] = []

  async open(_reference: SourceReference, { signal }: ReferenceContext): Promise<OpenSource> {
    const { script, resumed } = this
    const { page = Math.max(1, script.rows.length), validator = null, resumes = false } = script
    return {
      title: 'The origin',
      warnings: [],
      identity: script.identity ?? null,
      version: script.version ?? '1',
      formats: async () => ({ columns: [], sample_rows: null }),
      read: ({ resume, validator: former } = {}) => {
        const { rows } = this.script
        const made = { requests: 0, at: resume?.rows ?? 0 }
        const unchanged = validator !== null && former === validator
        resumed.push(made.at)
        return {
          batches: (async function* () {
            for (; made.at < rows.length && !unchanged; ) {
              await script.before?.(made.at, signal)
              made.requests += 1
              const batch = rows.slice(made.at, made.at + page)
              made.at += batch.length
              yield batch.map((row) => Buffer.from(JSON.stringify(row)))
            }
          })(),
          get requests() {
            return made.requests
          },
          get checkpoint() {
            return resumes ? { at: made.at } : null
          },
          get header() {
            return made.at > 0 ? (rows[0] ?? null) : null
          },
          total: script.total ?? null,
          validator,
          unchanged,
          warnings: script.warnings ?? [],
        }
      },
    }
  }
}
