import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { NumberFormat } from '../../../../contract/tables.ts'
import type { CellArea } from './cell-area.ts'
import { ISO_TYPES } from './cell-values.ts'
import { type OpenXmlPackage, relatedPart, type SheetPart } from './open-xml-package.ts'
import { readRows } from './read-rows.ts'
import { refusal } from './refusal.ts'
import { readMergedAreas, readStatedArea } from './sheet-frame.ts'
import { readSharedStrings, SharedStrings } from './text-table.ts'
import type { ReadOptions, SheetRow, Workbook, WorkbookTab } from './workbook.ts'

/** A workbook in a file of Excel 2007 or later. */
export class OpenXmlWorkbook implements Workbook {
  readonly isWritable = true
  readonly #package: OpenXmlPackage
  #strings: Promise<SharedStrings> | undefined

  private constructor(parts: OpenXmlPackage) {
    this.#package = parts
  }

  static open(parts: OpenXmlPackage): OpenXmlWorkbook {
    return new OpenXmlWorkbook(parts)
  }

  get file() {
    return this.#package.zip.file
  }

  get tabs() {
    return this.#package.tabs
  }

  get names() {
    return this.#package.names
  }

  get tables() {
    return this.#package.tables
  }

  get countsFrom1904() {
    return this.#package.countsFrom1904
  }

  format(style: number): NumberFormat | null {
    const type = ISO_TYPES.get(style)
    return type === undefined ? this.#package.styles.format(style) : { type }
  }

  statedArea(tab: WorkbookTab): Promise<CellArea | null> {
    return readStatedArea(this.#package.zip, this.#sheet(tab).part)
  }

  async *readTab(tab: WorkbookTab, options: ReadOptions = {}): AsyncGenerator<SheetRow[]> {
    const { zip, styles, countsFrom1904 } = this.#package
    const { part, name } = this.#sheet(tab)
    const strings = await this.#sharedStrings()
    const merged = await readMergedAreas(zip, part)
    yield* readRows({
      zip,
      part,
      file: zip.file,
      tab: name,
      strings,
      styles,
      countsFrom1904,
      merged,
      ...options,
    })
  }

  async close(): Promise<void> {
    await this.#strings?.then(
      (strings) => strings.close(),
      () => undefined,
    )
    await this.#package.zip.close()
  }

  #sheet(tab: WorkbookTab): SheetPart {
    const found = this.#package.tabs.find(({ id }) => id === tab.id)
    if (!found?.isGrid) throw refusal(fileMessages.not_a_grid(tab.name))
    return found
  }

  #sharedStrings(): Promise<SharedStrings> {
    const part = relatedPart(this.#package, 'sharedStrings')
    const { zip } = this.#package
    this.#strings ??=
      part !== undefined && zip.entry(part)
        ? readSharedStrings(zip, part)
        : Promise.resolve(new SharedStrings())
    return this.#strings
  }
}
