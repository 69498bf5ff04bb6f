import { consolidateServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import { OriginFailure, type ReadPart, type Source, type SourceRead } from '../../../connectors/connector.ts'
import { parseRow, rowText } from '../../../connectors/row-json.ts'
import { RunFailure } from '../../../engine/types.ts'
import { SpreadSample } from '../../../snapshots/spread-sample.ts'
import { plainRow } from '../../plain-row.ts'
import { consolidateHeaders } from './consolidated-header.ts'

/** One of several sources. */
export type PartSource = Pick<Source, 'title' | 'read' | 'address' | 'formats'>

type Reading = { source: PartSource; read: SourceRead; batches: AsyncIterator<Uint8Array[]> }

/**
 * Reads several sources as one table: their rows one below the other in columns matched by header. Holds one batch of each source, because
 * all headers are needed before the first row. `keepsAll`: a value in a column without a header fails the reading instead of being left
 * out. Throws RunFailure or OriginFailure.
 */
export function readConsolidated(
  sources: readonly PartSource[],
  { keepsAll }: { keepsAll: boolean },
): SourceRead {
  const readings = sources.map((source): Reading => {
    const read = source.read()
    return { source, read, batches: read.batches[Symbol.asyncIterator]() }
  })
  const parts: ReadPart[] = []
  let header: Row | null = null
  return {
    batches: (async function* () {
      try {
        const firsts: Uint8Array[][] = []
        for (const [place, { batches }] of readings.entries())
          firsts.push((await named(place, () => batches.next())).value ?? [])
        const headers = readings.map(({ source }, place) => ({
          title: source.title,
          header: parsed(firsts[place]?.[0]),
        }))
        const consolidated = consolidateHeaders(headers)
        header = consolidated.header
        yield [Buffer.from(rowText(header))]
        for (const [place, reading] of readings.entries()) {
          const first_row = 1 + parts.reduce((rows, part) => rows + part.rows, 0)
          const columns = consolidated.columns[place] ?? []
          const { title } = reading.source
          const part: ReadPart = {
            source: place,
            title,
            first_row,
            rows: 0,
            columns,
            snapshot_id: null,
            sample: [],
          }
          parts.push(part)
          const rows = new PartRows(reading.source, part, {
            width: headers[place]?.header.length ?? 0,
            keepsAll,
          })
          const first = firsts[place]?.slice(1) ?? []
          firsts[place] = []
          yield rows.take(first)
          for (;;) {
            const next = await named(place, () => reading.batches.next())
            if (next.done) break
            yield rows.take(next.value)
          }
          part.snapshot_id = reading.read.snapshot_id ?? null
        }
      } finally {
        for (const { batches } of readings) await batches.return?.()
      }
    })(),
    parts,
    get requests() {
      return readings.reduce((requests, { read }) => requests + read.requests, 0)
    },
    get isConsistent() {
      return readings.every(({ read }) => read.requests <= 1)
    },
    get header() {
      return header
    },
    get warnings() {
      return readings.flatMap(({ read }) => read.warnings)
    },
    ...{ checkpoint: null, total: null, validator: null, unchanged: false },
  }
}

/** Names the source in a failure of it. */
export async function named<T>(place: number, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    throw new OriginFailure(error.kind, messages.failed(place + 1, error.message), { cause: error })
  }
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8')

const parsed = (bytes: Uint8Array | undefined): Row => (bytes ? parseRow(textOf(bytes)) : [])

/** Moves the cells of the rows of one source into the columns of the table. */
class PartRows {
  readonly #source: PartSource
  readonly #part: ReadPart
  readonly #sample = new SpreadSample()
  readonly #keepsAll: boolean
  /** Whether the columns stand in the same places. */
  readonly #isInPlace: boolean
  readonly #placed: ReadonlySet<number | null>

  constructor(source: PartSource, part: ReadPart, { width, keepsAll }: { width: number; keepsAll: boolean }) {
    this.#source = source
    this.#part = part
    this.#keepsAll = keepsAll
    this.#placed = new Set(part.columns)
    this.#isInPlace =
      part.columns.slice(0, width).every((column, index) => column === index) && this.#placed.size >= width
  }

  take(batch: readonly Uint8Array[]): Uint8Array[] {
    return batch.map((bytes) => {
      this.#part.rows += 1
      const number = this.#part.rows
      const isPassedOn = this.#isInPlace && !this.#sample.wants(number)
      const plain = isPassedOn ? plainRow(bytes) : null
      return plain && plain.columns <= this.#part.columns.length ? bytes : this.#moved(number, bytes)
    })
  }

  #moved(number: number, bytes: Uint8Array): Uint8Array {
    const row = parsed(bytes)
    this.#sample.add(number, row)
    this.#part.sample = this.#sample.rows
    if (this.#keepsAll) this.#requireHeaders(number, row)
    const cells = this.#part.columns.map((column) => (column === null ? null : (row[column] ?? null)))
    return Buffer.from(rowText(cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1)))
  }

  #requireHeaders(number: number, row: Row): void {
    const column = row.findIndex((cell, place) => cell !== null && cell !== '' && !this.#placed.has(place))
    if (column < 0) return
    const { title, address } = this.#source
    const where = address?.(number, column) ?? `column ${column + 1}`
    throw new RunFailure(messages.no_column_header(title, where), { retryable: false })
  }
}
