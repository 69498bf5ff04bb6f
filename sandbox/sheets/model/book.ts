import { type CellFormat, FormatTable } from './cell-format.ts'
import { type CellValue, typedValue } from './content.ts'
import { Grid, GridDraft, type GridView } from './grid.ts'
import type { Json } from './json.ts'
import { type Layers, noLayers } from './layers.ts'

/** Half-open block of cells, numbered from 0. */
export interface Block {
  readonly startRow: number
  readonly endRow: number
  readonly startColumn: number
  readonly endColumn: number
}

/** Properties of a sheet except index and size. */
export interface SheetProperties {
  title: string
  hidden?: boolean
  rightToLeft?: boolean
  /** ColorStyle of the API, as stored. */
  tabColorStyle?: Json
  frozenRowCount?: number
  frozenColumnCount?: number
  hideGridlines?: boolean
  rowGroupControlAfter?: boolean
  columnGroupControlAfter?: boolean
}

/** Basic filter; `rest` has its criteria. */
export interface BasicFilter {
  readonly range: Block
  readonly rest: Readonly<Record<string, unknown>>
}

/** Named range with a GridRange; an open side has no bound. */
export interface NamedRange {
  readonly namedRangeId: string
  readonly name: string
  readonly sheetId: number
  readonly startRow?: number
  readonly endRow?: number
  readonly startColumn?: number
  readonly endColumn?: number
}

export interface SheetView {
  readonly id: number
  readonly properties: Readonly<SheetProperties>
  readonly grid: GridView
  readonly basicFilter: BasicFilter | null
  readonly notes: ReadonlyMap<string, string>
  readonly layers: Layers
}

export interface BookView {
  readonly owner: string
  readonly title: string
  readonly locale: string
  readonly timeZone: string
  readonly sheets: readonly SheetView[]
  readonly namedRanges: readonly NamedRange[]
  readonly formats: FormatTable
}

/** Committed state of one tab. Rows and columns are numbered from 0. */
export class Sheet implements SheetView {
  readonly id: number
  readonly properties: Readonly<SheetProperties>
  readonly grid: Grid
  readonly basicFilter: BasicFilter | null
  readonly notes: ReadonlyMap<string, string>
  readonly layers: Layers
  readonly #formats: FormatTable

  constructor(parts: SheetView & { grid: Grid }, formats: FormatTable) {
    this.id = parts.id
    this.properties = parts.properties
    this.grid = parts.grid
    this.basicFilter = parts.basicFilter
    this.notes = parts.notes
    this.layers = parts.layers
    this.#formats = formats
  }

  get title(): string {
    return this.properties.title
  }

  get rowCount(): number {
    return this.grid.rowCount
  }

  get columnCount(): number {
    return this.grid.columnCount
  }

  get(row: number, column: number): CellValue {
    return typedValue(this.grid.content(row, column))
  }

  /** Format of a cell; `{}` if none was set. */
  format(row: number, column: number): CellFormat {
    return this.#formats.get(this.grid.format(row, column))
  }
}

/** Mutable tab during a request. */
export class SheetDraft implements SheetView {
  readonly id: number
  properties: SheetProperties
  readonly grid: GridDraft
  basicFilter: BasicFilter | null
  notes: ReadonlyMap<string, string>
  layers: Layers

  constructor(base: SheetView & { grid: Grid }) {
    this.id = base.id
    this.properties = { ...base.properties }
    this.grid = new GridDraft(base.grid)
    this.basicFilter = base.basicFilter
    this.notes = base.notes
    this.layers = base.layers
  }

  commit(formats: FormatTable): Sheet {
    return new Sheet({ ...this, grid: this.grid.commit() }, formats)
  }
}

/** Owner and permissions of a book. `anyone` among readers or writers means link sharing. */
export interface Sharing {
  readonly owner: string
  readonly readers: readonly string[]
  readonly writers: readonly string[]
}

/** Committed state of a spreadsheet, immutable. Times are RFC 3339. */
export interface BookState extends Sharing {
  readonly title: string
  readonly locale: string
  readonly timeZone: string
  readonly createdTime: string
  readonly modifiedTime: string
  readonly trashed: boolean
  readonly sheets: readonly Sheet[]
  readonly namedRanges: readonly NamedRange[]
}

/** Mutable spreadsheet during a request; discarded if the request fails. */
export class BookDraft implements BookView {
  title: string
  locale: string
  timeZone: string
  sheets: SheetDraft[]
  namedRanges: NamedRange[]
  readonly formats: FormatTable
  readonly #base: BookState

  constructor(base: BookState, formats: FormatTable) {
    this.title = base.title
    this.locale = base.locale
    this.timeZone = base.timeZone
    this.sheets = base.sheets.map((sheet) => new SheetDraft(sheet))
    this.namedRanges = [...base.namedRanges]
    this.formats = formats
    this.#base = base
  }

  get owner(): string {
    return this.#base.owner
  }

  commit(modifiedTime: string): BookState {
    const { title, locale, timeZone, namedRanges, formats } = this
    const sheets = this.sheets.map((sheet) => sheet.commit(formats))
    return { ...this.#base, title, locale, timeZone, namedRanges, sheets, modifiedTime }
  }
}

/** A spreadsheet. Changes go through `Books`. */
export class Book implements BookView {
  readonly id: string
  readonly formats: FormatTable
  #state: BookState

  constructor(id: string, state: BookState, formats: FormatTable = new FormatTable()) {
    this.id = id
    this.formats = formats
    this.#state = state
  }

  /** The committed state. Later commits do not modify it. */
  get state(): BookState {
    return this.#state
  }

  get title() {
    return this.#state.title
  }
  get locale() {
    return this.#state.locale
  }
  get timeZone() {
    return this.#state.timeZone
  }
  get owner() {
    return this.#state.owner
  }
  get readers() {
    return this.#state.readers
  }
  get writers() {
    return this.#state.writers
  }
  get createdTime() {
    return this.#state.createdTime
  }
  get modifiedTime() {
    return this.#state.modifiedTime
  }
  get trashed() {
    return this.#state.trashed
  }
  get sheets() {
    return this.#state.sheets
  }
  get namedRanges() {
    return this.#state.namedRanges
  }

  sheet(id: number): Sheet | undefined {
    return this.sheets.find((sheet) => sheet.id === id)
  }

  canRead(email: string): boolean {
    return this.canWrite(email) || includes(this.readers, email)
  }

  canWrite(email: string): boolean {
    return this.owner === email || includes(this.writers, email)
  }

  draft(): BookDraft {
    return new BookDraft(this.#state, this.formats)
  }

  /** Commits a state. Called only by `Books`, after the journal entry is written. */
  become(state: BookState): void {
    this.#state = state
  }
}

function includes(people: readonly string[], email: string): boolean {
  return people.includes(email) || people.includes('anyone')
}

/** Creates an empty tab. */
export function emptySheet(
  id: number,
  properties: SheetProperties,
  rowCount = 1000,
  columnCount = 26,
): SheetView & { grid: Grid } {
  const grid = new Grid(rowCount, columnCount)
  return { id, properties, grid, basicFilter: null, notes: new Map(), layers: noLayers }
}
