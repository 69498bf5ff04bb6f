import { invalid } from '../../google-error.ts'
import type { Block, NamedRange, SheetView } from '../model/book.ts'
import { type Area, areaText, parseArea, titleText } from './a1.ts'

/** A range resolved in a book. `block` is within the grid. */
export interface Found<S extends SheetView = SheetView> {
  readonly sheet: S
  readonly block: Block
  /** A single cell, used as the top left corner of a write. */
  readonly single: boolean
}

/** Properties of a book that ranges need. */
interface Sheets<S> {
  readonly sheets: readonly S[]
  readonly namedRanges: readonly NamedRange[]
}

interface Named<S> {
  readonly sheet: S
  readonly area: Area
}

/** Resolves a range string. Throws Google's 400 if it is invalid or starts beyond the grid. */
export function resolveRange<S extends SheetView>(book: Sheets<S>, text: string): Found<S> {
  const named = find(book, text)
  if (!named) throw invalid(`Unable to parse range: ${text}`)
  const { sheet, area } = named
  const { rowCount, columnCount } = sheet.grid
  const startRow = area.startRow ?? 0
  const startColumn = area.startColumn ?? 0
  if (startRow >= rowCount || startColumn >= columnCount) throw beyondGrid(sheet, area)
  const endRow = Math.min(area.endRow ?? rowCount, rowCount)
  const endColumn = Math.min(area.endColumn ?? columnCount, columnCount)
  const single = area.endRow === startRow + 1 && area.endColumn === startColumn + 1
  return { sheet, block: { startRow, endRow, startColumn, endColumn }, single }
}

/** `Sheet1!A1:B2`, as in replies. */
export function rangeText(sheet: SheetView, area: Area): string {
  return `${titleText(sheet.properties.title)}!${areaText(area)}`
}

export function beyondGrid(sheet: SheetView, area: Area) {
  const { rowCount, columnCount } = sheet.grid
  return invalid(
    `Range (${rangeText(sheet, area)}) exceeds grid limits. Max rows: ${rowCount}, max columns: ${columnCount}`,
  )
}

function find<S extends SheetView>(book: Sheets<S>, text: string): Named<S> | null {
  const quoted = /^'((?:[^']|'')+)'(?:!(.+))?$/s.exec(text)
  if (quoted) {
    const sheet = sheetTitled(book, (quoted[1] ?? '').replaceAll("''", "'"))
    return sheet && within(book, sheet, quoted[2])
  }
  const mark = text.lastIndexOf('!')
  if (mark >= 0) {
    const sheet = sheetTitled(book, text.slice(0, mark))
    return sheet && mark + 1 < text.length ? within(book, sheet, text.slice(mark + 1)) : null
  }
  const area = parseArea(text)
  const visible = book.sheets.find(({ properties }) => !properties.hidden)
  if (area) return visible ? { sheet: visible, area } : null
  const name = namedRange(book, text)
  if (name) return name
  const sheet = sheetTitled(book, text)
  return sheet && { sheet, area: {} }
}

function within<S extends SheetView>(book: Sheets<S>, sheet: S, text: string | undefined): Named<S> | null {
  if (text === undefined) return { sheet, area: {} }
  const area = parseArea(text)
  if (area) return { sheet, area }
  const name = namedRange(book, text)
  return name?.sheet === sheet ? name : null
}

function namedRange<S extends SheetView>(book: Sheets<S>, text: string): Named<S> | null {
  const found = book.namedRanges.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  const sheet = found && book.sheets.find(({ id }) => id === found.sheetId)
  return found && sheet ? { sheet, area: found } : null
}

function sheetTitled<S extends SheetView>(book: Pick<Sheets<S>, 'sheets'>, title: string): S | null {
  const lower = title.toLowerCase()
  return (
    book.sheets.find(({ properties }) => properties.title === title) ??
    book.sheets.find(({ properties }) => properties.title.toLowerCase() === lower) ??
    null
  )
}
