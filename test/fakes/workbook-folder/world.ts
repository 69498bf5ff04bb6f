import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { sheets_v4 } from '@googleapis/sheets'
import type { NumberFormat } from '../../../src/contract/tables.ts'
import { cellAddress } from '../../../src/server/connectors/google-sheets/a1.ts'
import type { Settings } from '../../fixtures/copy-settings.ts'
import { CopyWorld, opened } from '../../fixtures/copy-world.ts'
import { editOf } from '../json-directory/edits.ts'
import { areaOf } from '../json-directory/ranges.ts'
import { put, trimmed } from '../json-directory/table-file.ts'
import type { Cell } from '../spreadsheets.ts'
import { type BookTab, readBook, storeBook, tabNames } from './book.ts'
import { FILES, testFolder, workbookFolder } from './provider.ts'

const SLOW_READ_MS = 10

/** Workbooks in a folder, a database and an engine with the copy handler. Edits replace files, as spreadsheet programs do. */
class WorkbookWorld extends CopyWorld {
  override readonly cell_characters = 32_767
  #root = ''
  readonly #written = new Map<number, number>()
  readonly #reads = new Map<string, number>()
  readonly #slow = new Set<string>()
  /** Edits of a file wait for each other. */
  #editing: Promise<unknown> = Promise.resolve()

  override async open({
    commit_bytes = 2_000_000,
    ...settings
  }: Settings = {}): Promise<() => Promise<void>> {
    this.#root = mkdtempSync(join(tmpdir(), 'workbooks-'))
    const provider = workbookFolder({
      folders: [testFolder(this.#root)],
      // A cell needs about 100 bytes in a request.
      limits: { cells: commit_bytes / 100, bytes: commit_bytes },
      asked: async (id) => {
        this.#reads.set(id, (this.#reads.get(id) ?? 0) + 1)
        if (this.#slow.has(id)) await pause(SLOW_READ_MS)
      },
      wrote: (run_id) => this.#written.set(run_id, (this.#written.get(run_id) ?? 0) + 1),
      step_ms: 0,
    })
    const worker_env = { WORKBOOKS_ROOT: this.#root }
    const close = await super.open({ ...settings, tables: { [FILES]: provider }, worker_env })
    return async () => {
      await close()
      rmSync(this.#root, { recursive: true })
    }
  }

  override async task(definition: Parameters<CopyWorld['task']>[0]): Promise<number> {
    return super.task({ source_provider: FILES, target_provider: FILES, ...definition })
  }

  override async sourceTask(...[definition, fields]: Parameters<CopyWorld['sourceTask']>): Promise<number> {
    return super.sourceTask({ provider: FILES, ...definition }, fields)
  }

  override async slowReads(id: string): Promise<void> {
    this.#slow.add(id)
  }

  override async readsOf(id: string): Promise<number> {
    return this.#reads.get(id) ?? 0
  }

  /** Files that a run has replaced in this process; reads are not counted. */
  override async requestsOf(run_id: number): Promise<{ read: number; write: number }> {
    return { read: 0, write: this.#written.get(run_id) ?? 0 }
  }

  /** A workbook in a folder of its own. Its name has no ending, so that it is the title that tests expect. */
  override async spreadsheet(tabs: Record<string, Cell[][]>, title = 'Book'): Promise<string> {
    const id = `Out/${randomUUID()}/${title}`
    mkdirSync(dirname(this.path(id)))
    const list = Object.entries(tabs).map(([name, rows], n) => ({
      id: 100 + n,
      name,
      rows,
      formats: new Map(),
    }))
    await storeBook(this.path(id), list)
    return id
  }

  /** Path of the file with an id. */
  path(id: string): string {
    return join(this.#root, ...id.split('/').slice(1))
  }

  override async write(id: string, range: string, values: Cell[][]): Promise<void> {
    const { tab, row, column } = areaOf(range)
    await this.#edit(id, tab, ({ rows }) => {
      for (const [down, cells] of values.entries())
        for (const [right, value] of cells.entries())
          if (value !== null) put(rows, row + down, column + right, value)
    })
  }

  override async clear(id: string, range: string): Promise<void> {
    const { tab, row, column, endRow, endColumn } = areaOf(range)
    await this.#edit(id, tab, ({ rows }) => {
      for (const cells of rows.slice(row, endRow)) cells.fill(null, column, Math.min(cells.length, endColumn))
    })
  }

  override async values(id: string, range: string): Promise<unknown[][]> {
    const { tab, row, column, endRow, endColumn } = areaOf(range)
    const [found] = await readBook(this.path(id), tab)
    const within = (found?.rows ?? []).slice(row, endRow).map((cells) => cells.slice(column, endColumn))
    return trimmed(within).map((cells) => cells.map((cell) => cell ?? ''))
  }

  override async setFormats(id: string, formats: (NumberFormat | undefined)[]): Promise<void> {
    await this.#editTabs(id, ([tab]) => {
      for (const [column, format] of formats.entries())
        if (format) tab?.formats.set(cellAddress(1, column), format)
    })
  }

  override async entered(id: string, name: string): Promise<sheets_v4.Schema$CellData[]> {
    const [tab] = await readBook(this.path(id), name)
    const kinds = { string: 'stringValue', number: 'numberValue', boolean: 'boolValue' }
    return (tab?.rows[1] ?? []).map((cell, column) => ({
      userEnteredValue: { [kinds[typeof cell as keyof typeof kinds]]: cell },
      userEnteredFormat: { numberFormat: tab?.formats.get(cellAddress(1, column)) ?? {} },
    }))
  }

  /** The tabs, and the files beside the workbook. */
  override async tabs(id: string): Promise<string[]> {
    const path = this.path(id)
    const beside = readdirSync(dirname(path)).filter((name) => name !== basename(path))
    return [...(await tabNames(path)), ...beside]
  }

  override async batch(id: string, ...requests: sheets_v4.Schema$Request[]): Promise<void> {
    await this.#editTabs(id, (tabs) => {
      for (const { addSheet, deleteSheet, updateSheetProperties, appendDimension, ...change } of requests) {
        const { title, sheetId } = addSheet?.properties ?? updateSheetProperties?.properties ?? {}
        const named = tabs.find((tab) => tab.id === sheetId)
        if (addSheet) tabs.push({ id: sheetId ?? 0, name: title ?? '', rows: [], formats: new Map() })
        else if (deleteSheet)
          tabs.splice(
            tabs.findIndex((tab) => tab.id === deleteSheet.sheetId),
            1,
          )
        else if (updateSheetProperties) {
          // A workbook never has to grow.
          if (title && named) named.name = title
        } else if (!appendDimension) {
          const { sheet_id, edit } = editOf(change)
          const tab = tabs.find((one) => one.id === sheet_id)
          if (tab) edit(tab.rows)
        }
      }
    })
  }

  async #edit(id: string, name: string, edit: (tab: BookTab) => void): Promise<void> {
    await this.#editTabs(id, (tabs) => {
      const tab = tabs.find((one) => one.name === name)
      if (!tab) throw new Error(`There is no tab ${name}`)
      edit(tab)
    })
  }

  #editTabs(id: string, edit: (tabs: BookTab[]) => void): Promise<void> {
    const edited = this.#editing.then(async () => {
      const tabs = await readBook(this.path(id))
      edit(tabs)
      await storeBook(this.path(id), tabs)
    })
    this.#editing = edited.catch(() => undefined)
    return edited
  }
}

/** Opens a world of workbooks before the tests of the calling file and closes it after them. */
export const openWorkbooks = (settings: Settings = {}): WorkbookWorld => opened(new WorkbookWorld(), settings)
