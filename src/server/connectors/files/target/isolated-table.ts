import { randomInt } from 'node:crypto'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import { CSV_TABLE, isDelimited } from '../../../../contract/files/providers.ts'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import { type Change, type NumberedCells, OriginFailure, type TabIdentity } from '../../connector.ts'
import type { CsvTargetSettings } from '../../csv-target-settings.ts'
import { type CellArea, MAX_COLUMNS, MAX_ROWS } from '../workbook/cell-area.ts'
import type { PatchRow } from '../workbook/tab-change.ts'
import { changeRows } from './change-rows.ts'
import type { TableFile } from './table-file.ts'
import type { TargetFile } from './target-file.ts'
import { FormulaCells, FoundTab, type JobTable, TabFormats, type TargetJob } from './target-jobs.ts'
import type { TargetJobs } from './target-process.ts'

/** Characters of a cell, in UTF-16 units: Excel's limit, also when it opens a CSV file. */
const CELL_CHARACTERS = 32_767
const ARRAY = 0x5b

/** Ids of new tabs: beyond those that programs count up, so that no other tab is taken for one that was never created. */
const NEW_IDS = { from: 10_000, to: 65_000 }

/** The table that a reference means. `start`: its header row, counted from 0; `new_id`: of a tab that this run creates. */
type Wanted = {
  place: string | null
  sheet_name: string
  start: number
  csv: CsvTargetSettings
  filled: boolean
  new_id: string | null
}

/** The tab of a workbook, and what is known of it. */
type OpenedTab = { tab: { id: string; name: string }; exists: boolean; warnings: string[] }

/** A table of a target file, which a process of its own reads and writes. */
export class IsolatedTable implements TableFile {
  readonly title: string
  readonly warnings: string[]
  readonly provider: string
  readonly cell_characters = CELL_CHARACTERS
  readonly extent = { rows: MAX_ROWS, columns: MAX_COLUMNS }
  readonly readFormats?: NonNullable<TableFile['readFormats']>
  exists: boolean
  readonly #jobs: TargetJobs
  readonly #file: TargetFile
  readonly #start: number
  readonly #csv: CsvTargetSettings
  /** Null: a CSV file. */
  readonly #tab: OpenedTab['tab'] | null

  private constructor(jobs: TargetJobs, file: TargetFile, { start, csv }: Wanted, opened: OpenedTab | null) {
    this.#jobs = jobs
    this.#file = file
    this.#start = start
    this.#csv = csv
    this.#tab = opened?.tab ?? null
    this.exists = opened?.exists ?? file.exists
    this.warnings = opened?.warnings ?? []
    this.provider = opened ? texts.provider : texts.provider_csv
    this.title = opened ? `‘${opened.tab.name}’ in ‘${file.name}’` : `‘${file.name}’`
    if (opened) this.readFormats = (columns, rows) => this.#formats(columns, rows)
  }

  static async open(jobs: TargetJobs, file: TargetFile, wanted: Wanted): Promise<IsolatedTable> {
    const { name } = file
    const { sheet_name } = wanted
    if (!isDelimited(name)) return new IsolatedTable(jobs, file, wanted, await openTab(jobs, file, wanted))
    if (sheet_name.toLowerCase() !== CSV_TABLE.toLowerCase())
      throw new OriginFailure('not_found', fileMessages.csv_table_unknown(name, sheet_name, CSV_TABLE))
    return new IsolatedTable(jobs, file, wanted, null)
  }

  identity(): TabIdentity {
    const { id, name } = this.#tab ?? { id: CSV_TABLE, name: CSV_TABLE }
    return { spreadsheet_name: this.#file.name, sheet_name: name, tab_id: id }
  }

  summary({ cells }: Change): string {
    if (!this.#tab) return texts.plan_csv
    return cells ? texts.plan_cells : texts.plan_rows
  }

  async *rows(
    columns: number,
    onFormula: (row: number, column: number) => void,
  ): AsyncGenerator<Uint8Array[]> {
    if (!this.exists) return
    for await (const lines of this.#jobs.lines({ work: 'rows', table: this.#table, columns })) {
      const rows = lines.filter((line) => line[0] === ARRAY)
      if (rows.length < lines.length)
        for (const line of lines)
          if (line[0] !== ARRAY)
            for (const [row, column] of FormulaCells.parse(parsed(line)).formulas) onFormula(row, column)
      if (rows.length > 0) yield rows
    }
  }

  readBeside(columns: number, wanted: RowSet): AsyncIterable<NumberedCells> | null {
    if (!this.exists) return null
    const rows = wanted.bits.toString('base64')
    const answers = this.#jobs.lines({ work: 'beside', table: this.#table, columns, rows })
    return (async function* () {
      for await (const lines of answers)
        for (const line of lines) {
          const [row, cells]: [number, Row] = JSON.parse(Buffer.from(line).toString('utf8'))
          yield { row, cells }
        }
    })()
  }

  async write(
    change: Change,
    rows: number,
    out: string,
    onRows: (rows: number) => Promise<void>,
  ): Promise<void> {
    const area = areaOf(change, this.#start)
    const patches = changeRows(change, { start: this.#start, rows })
    await answerOf(
      this.#jobs,
      { work: 'write', table: this.#table, out, columns: change.columns, area },
      linesOfPatches(patches, onRows),
    )
  }

  get #table(): JobTable {
    const { path, name, exists } = this.#file
    return {
      file: { path, name, exists },
      ...{ start: this.#start, exists: this.exists, tab: this.#tab, csv: this.#csv },
    }
  }

  async #formats(columns: number[], rows: number): Promise<Map<number, FormatRuns>> {
    const answer = await answerOf(this.#jobs, { work: 'formats', table: this.#table, columns, rows })
    return new Map(TabFormats.parse(answer).formats)
  }
}

async function openTab(
  jobs: TargetJobs,
  file: TargetFile,
  { place, sheet_name, start, filled, new_id }: Wanted,
): Promise<OpenedTab> {
  const { path, name, exists } = file
  const job = { work: 'find', file: { path, name, exists }, place, sheet_name, start } as const
  const { found } = exists ? FoundTab.parse(await answerOf(jobs, job)) : { found: null }
  if (found) {
    const { warnings, ...tab } = found
    return { tab, exists: true, warnings }
  }
  const title = sheet_name === '' ? 'Sheet1' : sheet_name
  // The only tab of a new workbook has the id 1.
  const id = exists ? (new_id ?? String(randomInt(NEW_IDS.from, NEW_IDS.to))) : '1'
  return { tab: { id, name: title }, exists: false, warnings: filled ? [texts.tab_gone(title, name)] : [] }
}

/** The area of the table, with which the tables and filters of the tab grow. */
function areaOf({ rows, columns, within }: Change, start: number): CellArea {
  const written = within?.columns ?? []
  const left = within ? Math.min(...written) : 0
  const right = within ? Math.max(...written) : columns - 1
  return { top: start, left, bottom: start + Math.max(1, rows) - 1, right: Math.max(left, right) }
}

/** Patches as lines, and `null` at their end. Reports the rows that are passed on. */
async function* linesOfPatches(
  batches: AsyncIterable<PatchRow[]>,
  onRows: (rows: number) => Promise<void>,
): AsyncGenerator<string> {
  let rows = 0
  for await (const batch of batches) {
    yield JSON.stringify(batch)
    rows += batch.length
    await onRows(rows)
  }
  yield 'null'
}

/** The object that a job answers with. */
async function answerOf(jobs: TargetJobs, job: TargetJob, input?: AsyncIterable<string>): Promise<unknown> {
  let answer: unknown
  for await (const lines of jobs.lines(job, input)) for (const line of lines) answer = parsed(line)
  return answer
}

function parsed(line: Uint8Array): unknown {
  return JSON.parse(Buffer.from(line).toString('utf8'))
}
