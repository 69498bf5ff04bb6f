import { randomInt } from 'node:crypto'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import { FormatCollector, formatKey } from '../../column-formats.ts'
import { type Change, type NumberedCells, OriginFailure, type TabIdentity } from '../../connector.ts'
import { findTable } from '../tables.ts'
import { type CellArea, MAX_COLUMNS, MAX_ROWS } from '../workbook/cell-area.ts'
import { openWorkbook } from '../workbook/open-workbook.ts'
import { createWorkbook, patchTab } from '../workbook/patch-tab.ts'
import type { PatchRow } from '../workbook/tab-change.ts'
import type { ReadOptions, SheetRow, Workbook, WorkbookTab } from '../workbook/workbook.ts'
import { changeRows } from './change-rows.ts'
import type { FileRow, TableFile } from './table-file.ts'
import type { TargetFile } from './target-file.ts'

/** Characters of a cell, in UTF-16 units. */
const CELL_CHARACTERS = 32_767

/** Ids of new tabs: beyond those that programs count up, so that no other tab is taken for one that was never created. */
const NEW_IDS = { from: 10_000, to: 65_000 }

/** The tab that a reference means. `start`: its header row, counted from 0. */
type Wanted = {
  place: string | null
  sheet_name: string
  start: number
  filled: boolean
  new_id: string | null
}

/** A tab of a workbook as a target. */
export class WorkbookTable implements TableFile {
  readonly title: string
  readonly warnings: string[]
  readonly provider = texts.provider
  readonly cell_characters = CELL_CHARACTERS
  readonly extent = { rows: MAX_ROWS, columns: MAX_COLUMNS }
  readonly #file: TargetFile
  readonly #start: number
  /** It need not exist. */
  readonly #tab: Pick<WorkbookTab, 'id' | 'name'>
  exists: boolean

  private constructor(
    file: TargetFile,
    { sheet_name, start, filled, new_id }: Wanted,
    found: FoundTab | null,
  ) {
    const name = found?.tab.name ?? (sheet_name === '' ? 'Sheet1' : sheet_name)
    const gone = filled && !found ? [texts.tab_gone(name, file.name)] : []
    this.title = `‘${name}’ in ‘${file.name}’`
    this.warnings = [...(found?.warnings ?? []), ...gone]
    this.#file = file
    this.#start = start
    this.exists = found !== null
    // The only tab of a new workbook has the id 1.
    const newId = () => (file.exists ? (new_id ?? String(randomInt(NEW_IDS.from, NEW_IDS.to))) : '1')
    this.#tab = found?.tab ?? { name, id: newId() }
  }

  static async open(file: TargetFile, wanted: Wanted): Promise<WorkbookTable> {
    const found = file.exists ? await withWorkbook(file, async (workbook) => findTab(workbook, wanted)) : null
    return new WorkbookTable(file, wanted, found)
  }

  identity(): TabIdentity {
    return { spreadsheet_name: this.#file.name, sheet_name: this.#tab.name, tab_id: this.#tab.id }
  }

  summary({ cells }: Change): string {
    return cells ? texts.plan_cells : texts.plan_rows
  }

  async *rows(columns: number): AsyncGenerator<FileRow[]> {
    for await (const { rows } of this.#batches({ columns, formulas: 'texts' }))
      yield rows.map(({ row, cells, formulas }) => ({ row: row - 1 - this.#start, cells, formulas }))
  }

  readBeside(columns: number, wanted: RowSet): AsyncIterable<NumberedCells> | null {
    if (!this.exists) return null
    const batches = this.#batches({ formulas: 'omitted' })
    const start = this.#start
    return (async function* () {
      for await (const { rows } of batches)
        for (const { row: number, cells } of rows) {
          const row = number - 1 - start
          if ((row === 0 || wanted.has(row)) && cells.length > columns)
            yield { row, cells: cells.slice(columns) }
        }
    })()
  }

  async readFormats(columns: number[], rows: number): Promise<Map<number, FormatRuns>> {
    const collectors = columns.map((column) => ({ column, collector: new FormatCollector() }))
    let next = 1
    const addBlank = (end: number) => {
      if (end > next) for (const { collector } of collectors) collector.add(next, '', end - next)
      next = Math.max(next, end)
    }
    for await (const { rows: batch, workbook } of this.#batches({ blank_styles: true, formulas: 'texts' }))
      for (const { row: number, styles } of batch) {
        const row = number - 1 - this.#start
        if (row < 1 || row > rows) continue
        addBlank(row)
        for (const { column, collector } of collectors)
          collector.add(row, formatKey(workbook.format(styles[column] ?? 0)))
        next = row + 1
      }
    addBlank(rows + 1)
    return new Map(collectors.map(({ column, collector }) => [column, collector.runs]))
  }

  async write(
    change: Change,
    rows: number,
    out: string,
    onRows: (rows: number) => Promise<void>,
  ): Promise<void> {
    const patch = {
      area: areaOf(change, this.#start),
      rows: reported(changeRows(change, { start: this.#start, rows }), onRows),
    }
    const { path, name, exists } = this.#file
    const tab = this.#tab
    if (!exists) await createWorkbook(name, tab.name, patch, out)
    else await patchTab(path, this.exists ? tab : { new_name: tab.name, new_id: tab.id }, patch, out)
  }

  /** The rows of the tab from the header row on; none if it does not exist. */
  async *#batches(options: ReadOptions): AsyncGenerator<{ rows: SheetRow[]; workbook: Workbook }> {
    if (!this.exists) return
    const workbook = await openWorkbook(this.#file.path)
    try {
      const tab = workbook.tabs.find(({ id }) => id === this.#tab.id)
      if (!tab) throw new OriginFailure('tab_gone', texts.changed(this.#file.name))
      for await (const batch of workbook.readTab(tab, options))
        yield { rows: batch.filter(({ row }) => row > this.#start), workbook }
    } finally {
      await workbook.close()
    }
  }
}

type FoundTab = { tab: WorkbookTab; warnings: string[] }

async function withWorkbook<Result>(file: TargetFile, use: (workbook: Workbook) => Promise<Result>) {
  const workbook = await openWorkbook(file.path)
  try {
    return await use(workbook)
  } finally {
    await workbook.close()
  }
}

/** The tab that a reference means; null if it has to be created. Throws OriginFailure for workbooks that cannot be written. */
function findTab(workbook: Workbook, { place, sheet_name, start }: Wanted): FoundTab | null {
  if (!workbook.isWritable) throw new OriginFailure('invalid', texts.kind_read_only(workbook.file))
  try {
    const { table, warning } = findTable(workbook, { place, sheet_name, start_row: start + 1 })
    if (table.area.bottom !== MAX_ROWS - 1)
      throw new OriginFailure('invalid', texts.is_area(sheet_name, workbook.file))
    return { tab: table.tab, warnings: warning === null ? [] : [warning] }
  } catch (error) {
    if (error instanceof OriginFailure && error.kind === 'not_found') return null
    throw error
  }
}

/** The area of the table, with which the tables and filters of the tab grow. */
function areaOf({ rows, columns, within }: Change, start: number): CellArea {
  const written = within?.columns ?? []
  const left = within ? Math.min(...written) : 0
  const right = within ? Math.max(...written) : columns - 1
  return { top: start, left, bottom: start + Math.max(1, rows) - 1, right: Math.max(left, right) }
}

/** Reports the rows that are passed on. */
async function* reported(
  batches: AsyncIterable<PatchRow[]>,
  onRows: (rows: number) => Promise<void>,
): AsyncGenerator<PatchRow[]> {
  let rows = 0
  for await (const batch of batches) {
    yield batch
    rows += batch.length
    await onRows(rows)
  }
}
