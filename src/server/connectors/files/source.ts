import { withinRunLimit } from '../column-formats.ts'
import { NO_FORMAT, type Source, type SourceRead, type TabIdentity } from '../connector.ts'
import { cellAddress } from '../google-sheets/a1.ts'
import type { SourceContext } from '../source-context.ts'
import type { TableReference } from '../table-provider.ts'
import { wholeReading } from '../whole-reading.ts'
import type { ReadEnd } from './file-jobs.ts'
import { type FoundFile, placeIn } from './folders.ts'
import { type OpenTable, openTable, type WantedTable } from './read-file.ts'

/** After this time without a read, the process that has opened the file is ended. */
const IDLE_MS = 30_000

type Context = Pick<SourceContext, 'signal' | 'beforeRequest'>

/** Opens a table of a file for reading: a tab, a table or a named area of a workbook, or a CSV file. Throws OriginFailure. */
export async function openSource(
  findFile: (id: string) => Promise<FoundFile>,
  { spreadsheet_id, place, sheet_name, start_row, read_as }: TableReference,
  context: Context,
): Promise<Source & { identity: TabIdentity }> {
  const file = await findFile(spreadsheet_id)
  const wanted = { place: placeIn(spreadsheet_id, place), sheet_name, start_row, csv: read_as }
  const opened = await openTable(file, wanted, context.signal)
  const { name, id, top, left, warning } = opened.table
  const rows = new FileRows(file, wanted, context, opened)
  return {
    title: `‘${name}’ in ‘${file.name}’`,
    warnings: warning === null ? [] : [warning],
    identity: { spreadsheet_name: file.name, sheet_name: name, tab_id: id },
    read: () => rows.read(),
    address: (row, column) => cellAddress(top + row, left + column),
    async formats({ isExcluded = () => false }) {
      const columns = await rows.formats()
      return {
        columns: withinRunLimit(columns.map((format, n) => (isExcluded(n) ? NO_FORMAT : format))),
        sample_rows: null,
      }
    },
  }
}

/** Reads a table, and keeps what is known at its end. */
class FileRows {
  readonly #file: FoundFile
  readonly #wanted: WantedTable
  readonly #context: Context
  /** For the first reading only; a second one must be current. */
  #opened: OpenTable | null
  #end: ReadEnd | null = null

  constructor(file: FoundFile, wanted: WantedTable, context: Context, opened: OpenTable) {
    this.#file = file
    this.#wanted = wanted
    this.#context = context
    this.#opened = opened
    setTimeout(() => void this.#take()?.close(), IDLE_MS).unref()
  }

  #take(): OpenTable | null {
    const opened = this.#opened
    this.#opened = null
    return opened
  }

  read(): SourceRead {
    const rows = this
    const reading = wholeReading({ batches: this.#batches(), requests: 1 })
    return {
      batches: reading.batches,
      requests: 1,
      get header() {
        return reading.header
      },
      checkpoint: null,
      total: null,
      validator: null,
      unchanged: false,
      get warnings() {
        return rows.#end?.warnings ?? []
      },
      get remarks() {
        return rows.#end?.remarks ?? []
      },
    }
  }

  /** Formats of the columns, of data rows only. */
  async formats(): Promise<ReadEnd['formats']> {
    if (this.#end === null) for await (const _ of this.#batches());
    return this.#end?.formats ?? []
  }

  async *#batches(): AsyncGenerator<Uint8Array[]> {
    const { signal, beforeRequest } = this.#context
    await beforeRequest()
    const opened = this.#take() ?? (await openTable(this.#file, this.#wanted, signal))
    yield* opened.rows((end) => {
      this.#end = end
    })
  }
}
