import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import { FormatCollector, formatKey } from '../../column-formats.ts'
import { type NumberedCells, OriginFailure } from '../../connector.ts'
import { findTable } from '../tables.ts'
import { MAX_ROWS } from '../workbook/cell-area.ts'
import { openWorkbook } from '../workbook/open-workbook.ts'
import { createWorkbook, patchTab } from '../workbook/patch-tab.ts'
import type { ReadOptions, SheetRow, Workbook, WorkbookTab } from '../workbook/workbook.ts'
import type { TargetFile } from './target-file.ts'
import type { FileRow, TablePatch, WrittenTable } from './written-table.ts'

/** What a reference says about a tab. `start`: its header row, counted from 0. */
type Wanted = { place: string | null; sheet_name: string; start: number }

/** A tab of a workbook as a target. It need not exist. */
export class WorkbookTable implements WrittenTable {
  readonly #file: TargetFile
  readonly #start: number
  readonly #exists: boolean
  readonly #tab: Pick<WorkbookTab, 'id' | 'name'>

  constructor(
    file: TargetFile,
    { start, exists, tab }: { start: number; exists: boolean; tab: Pick<WorkbookTab, 'id' | 'name'> },
  ) {
    this.#file = file
    this.#start = start
    this.#exists = exists
    this.#tab = tab
  }

  async *rows(columns: number): AsyncGenerator<FileRow[]> {
    for await (const { rows } of this.#batches({ columns, formulas: 'texts' }))
      yield rows.map(({ row, cells, formulas }) => ({ row: row - 1 - this.#start, cells, formulas }))
  }

  async *readBeside(columns: number, wanted: RowSet): AsyncGenerator<NumberedCells> {
    for await (const { rows } of this.#batches({ formulas: 'omitted' }))
      for (const { row: number, cells } of rows) {
        const row = number - 1 - this.#start
        if ((row === 0 || wanted.has(row)) && cells.length > columns)
          yield { row, cells: cells.slice(columns) }
      }
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

  async write({ area, rows }: TablePatch, out: string): Promise<void> {
    const { path, name, exists } = this.#file
    const tab = this.#tab
    if (!exists) await createWorkbook(name, tab.name, { area, rows }, out)
    else
      await patchTab(path, this.#exists ? tab : { new_name: tab.name, new_id: tab.id }, { area, rows }, out)
  }

  /** The rows of the tab from the header row on; none if it does not exist. */
  async *#batches(options: ReadOptions): AsyncGenerator<{ rows: SheetRow[]; workbook: Workbook }> {
    if (!this.#exists) return
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

/** A tab that was found, and what to warn of. */
export type FoundTab = Pick<WorkbookTab, 'id' | 'name'> & { warnings: string[] }

/** The tab that a reference means; null if it has to be created. Throws OriginFailure for workbooks that cannot be written. */
export async function findTab(
  { path }: TargetFile,
  { place, sheet_name, start }: Wanted,
): Promise<FoundTab | null> {
  const workbook = await openWorkbook(path)
  try {
    if (!workbook.isWritable) throw new OriginFailure('invalid', texts.kind_read_only(workbook.file))
    const { table, warning } = findTable(workbook, { place, sheet_name, start_row: start + 1 })
    if (table.area.bottom !== MAX_ROWS - 1)
      throw new OriginFailure('invalid', texts.is_area(sheet_name, workbook.file))
    const { id, name } = table.tab
    return { id, name, warnings: warning === null ? [] : [warning] }
  } catch (error) {
    if (error instanceof OriginFailure && error.kind === 'not_found') return null
    throw error
  } finally {
    await workbook.close()
  }
}
