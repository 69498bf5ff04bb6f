import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { sheets_v4 } from '@googleapis/sheets'
import type { NumberFormat } from '../../../src/contract/tables.ts'
import type { Settings } from '../../fixtures/copy-settings.ts'
import { CopyWorld, copyWorld, opened } from '../../fixtures/copy-world.ts'
import { openWorkbooks } from '../workbook-folder/world.ts'
import { JSON_DIRECTORY, jsonDirectory } from './directory.ts'
import { editOf } from './edits.ts'
import { areaOf } from './ranges.ts'
import { Book, type Cell, idOf, put, trimmed } from './table-file.ts'

const SLOW_READ_MS = 10

/** A JSON directory, a database and an engine with the copy handler. Edits change files instead of spreadsheets. */
class DirectoryWorld extends CopyWorld {
  #root = ''
  readonly #written = new Map<number, number>()
  readonly #steps = new Map<string, number>()
  readonly #reads = new Map<string, number>()
  readonly #slow = new Set<string>()

  override async open({
    commit_bytes = 2_000_000,
    ...settings
  }: Settings = {}): Promise<() => Promise<void>> {
    this.#root = mkdtempSync(join(tmpdir(), 'tables-'))
    const directory = jsonDirectory({
      root: this.#root,
      // A cell needs about 100 bytes in a request.
      most_cells: commit_bytes / 100,
      cell_characters: 50_000,
      step_ms: 0,
      rows_per_read: Number.POSITIVE_INFINITY,
      asked: async (id) => {
        this.#reads.set(id, (this.#reads.get(id) ?? 0) + 1)
        if (this.#slow.has(id)) await pause(SLOW_READ_MS)
      },
      stepped: (id) => this.#steps.set(id, (this.#steps.get(id) ?? 0) + 1),
      wrote: (run_id) => this.#written.set(run_id, (this.#written.get(run_id) ?? 0) + 1),
      ...settings.directory,
    })
    const worker_env = { TABLES_ROOT: this.#root }
    const close = await super.open({ ...settings, tables: { [JSON_DIRECTORY]: directory }, worker_env })
    return async () => {
      await close()
      rmSync(this.#root, { recursive: true })
    }
  }

  /** Adds a task whose source and target are in the directory. */
  override async task(definition: Parameters<CopyWorld['task']>[0]): Promise<number> {
    return super.task({ source_provider: JSON_DIRECTORY, target_provider: JSON_DIRECTORY, ...definition })
  }

  override async sourceTask(...[definition, fields]: Parameters<CopyWorld['sourceTask']>): Promise<number> {
    return super.sourceTask({ provider: JSON_DIRECTORY, ...definition }, fields)
  }

  override async slowReads(id: string): Promise<void> {
    this.#slow.add(id)
  }

  override async readsOf(id: string): Promise<number> {
    return this.#reads.get(id) ?? 0
  }

  /** Number of steps in which tables of a folder were written. */
  stepsOf(id: string): number {
    return this.#steps.get(id) ?? 0
  }

  /** Files that a run has written in this process; reads are not counted. */
  override async requestsOf(run_id: number): Promise<{ read: number; write: number }> {
    return { read: 0, write: this.#written.get(run_id) ?? 0 }
  }

  override async spreadsheet(tabs: Record<string, Cell[][]>, title = 'Book'): Promise<string> {
    const id = randomUUID()
    mkdirSync(join(this.#root, id))
    writeFileSync(join(this.#root, id, 'title.txt'), title)
    for (const [index, [name, rows]] of Object.entries(tabs).entries())
      writeFileSync(this.#book(id).file(name), JSON.stringify({ id: idOf(100 + index), rows, formats: [] }))
    return id
  }

  override async write(id: string, range: string, values: Cell[][]): Promise<void> {
    // Yield to the event loop, for callers that write in a loop.
    await nextTurn()
    const { tab, row, column } = areaOf(range)
    this.#book(id).edit(tab, ({ rows }) => {
      for (const [down, cells] of values.entries())
        for (const [right, value] of cells.entries())
          if (value !== null) put(rows, row + down, column + right, value)
    })
  }

  override async clear(id: string, range: string): Promise<void> {
    const { tab, row, column, endRow, endColumn } = areaOf(range)
    this.#book(id).edit(tab, ({ rows }) => {
      for (const cells of rows.slice(row, endRow)) cells.fill(null, column, Math.min(cells.length, endColumn))
    })
  }

  override async values(id: string, range: string): Promise<unknown[][]> {
    // Yield to the event loop, for callers that poll in a loop.
    await nextTurn()
    const { tab, row, column, endRow, endColumn } = areaOf(range)
    const { rows } = this.#book(id).table(tab)
    const within = rows.slice(row, endRow).map((cells) => cells.slice(column, endColumn))
    return trimmed(within).map((cells) => cells.map((cell) => cell ?? ''))
  }

  /** Sets formats of whole columns: a file has no formats of cells. */
  override async setFormats(id: string, formats: (NumberFormat | undefined)[]): Promise<void> {
    const book = this.#book(id)
    book.edit(book.find({ place: idOf(100), sheet_name: '' }) ?? '', (table) => {
      table.formats = formats.map((format) => format ?? null)
    })
  }

  override async entered(id: string, tab: string): Promise<sheets_v4.Schema$CellData[]> {
    const { rows, formats } = this.#book(id).table(tab)
    const kinds = { string: 'stringValue', number: 'numberValue', boolean: 'boolValue' }
    return (rows[1] ?? []).map((cell, column) => ({
      userEnteredValue: { [kinds[typeof cell as keyof typeof kinds]]: cell },
      userEnteredFormat: { numberFormat: formats[column] ?? {} },
    }))
  }

  override async tabs(id: string): Promise<string[]> {
    return this.#book(id).names
  }

  override async batch(id: string, ...requests: sheets_v4.Schema$Request[]): Promise<void> {
    for (const { addSheet, deleteSheet, updateSheetProperties, appendDimension, ...change } of requests) {
      const book = this.#book(id)
      const named = (sheet_id?: number | null) =>
        book.find({ place: idOf(sheet_id ?? 0), sheet_name: '' }) ?? ''
      const { title, sheetId } = addSheet?.properties ?? updateSheetProperties?.properties ?? {}
      if (addSheet)
        writeFileSync(
          book.file(title ?? ''),
          JSON.stringify({ id: idOf(sheetId ?? 0), rows: [], formats: [] }),
        )
      else if (deleteSheet) rmSync(book.file(named(deleteSheet.sheetId)))
      else if (updateSheetProperties) {
        // A file has no grid, so it never has to grow.
        if (title) renameSync(book.file(named(sheetId)), book.file(title))
      } else if (!appendDimension) {
        const { sheet_id, edit } = editOf(change)
        book.edit(named(sheet_id), ({ rows }) => edit(rows))
      }
    }
  }

  #book(id: string): Book {
    return new Book(this.#root, id)
  }
}

/** Opens a directory world before the tests of the calling file and closes it after them. */
export const openDirectory = (settings: Settings = {}): DirectoryWorld =>
  opened(new DirectoryWorld(), settings)

/** A world for each table provider, so that copy tests run against all of them. */
export const copyWorlds = (settings: Settings = {}): [string, CopyWorld][] => [
  ...readInPartsWorlds(settings),
  ['a folder of workbooks', openWorkbooks(settings)],
]

/** Worlds of the providers that read a table by several requests; a workbook is read as a whole. */
export const readInPartsWorlds = (settings: Settings = {}): [string, CopyWorld][] => [
  ['Google Sheets', copyWorld(settings)],
  ['a directory of JSON files', openDirectory(settings)],
]
