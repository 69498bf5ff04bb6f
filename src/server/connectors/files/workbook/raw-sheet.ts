import { type CellArea, columnOf, parseArea } from './cell-area.ts'
import { CellTag } from './cell-tag.ts'
import { plainText } from './text-collector.ts'
import { attribute, withAttribute } from './xml-text.ts'
import type { XmlHandler } from './xml-tokens.ts'

/** The formula of a cell. `text`: '' for cells that share the formula of another one. */
export type RawFormula = {
  text: string
  /** Number of the shared formula. */
  shared: string | null
  /** The cells of an array formula or data table, which can only be changed as one. */
  array: CellArea | null
  /** Its place in the XML of the cell. */
  start: number
  end: number
}

/** A cell of a sheet as it is written; `xml` without its attribute `r` if it states none. Column counts from 0. */
export type RawCell = { column: number; style: number; xml: string; formula: RawFormula | null }

/** A row of a sheet as it is written. `index` counts from 0; `rest`: elements after its cells. */
export type RawRow = {
  index: number
  /** Blanks and comments in front of it. */
  before: string
  tag: string
  xml: string
  cells: RawCell[]
  rest: string
}

/** What becomes of the tags before and after the rows. */
export type TagChanges = Record<'head' | 'tail', (name: string, tag: string) => string>

/** Splits a sheet into what is before its rows, the rows, and what is after them; callers take them as they arrive. */
export class RawSheet implements XmlHandler {
  /** Until the first row. The tag that opens the rows is part of it. */
  head = ''
  rows: RawRow[] = []
  /** From the tag that closes the rows on. */
  tail = ''
  /** Prefix of the sheet's tags, with its colon. */
  prefix = ''
  readonly columnStyles: { first: number; last: number; style: number }[] = []
  readonly #change: TagChanges
  readonly #tag = new CellTag()
  #isInRows = false
  #isInTail = false
  #row: RawRow | null = null
  #between = ''
  #lastIndex = -1
  #cell: RawCell | null = null
  #column = -1
  #isInFormula = false

  constructor(change: TagChanges) {
    this.#change = change
  }

  /** The head is complete. */
  get hasRows(): boolean {
    return this.#isInRows || this.#isInTail
  }

  open(name: string, tag: string, closes: boolean): void {
    if (this.#isInTail) this.tail += this.#change.tail(name, tag)
    else if (!this.#isInRows) this.#openHead(name, tag, closes)
    else if (this.#row === null) this.#openRow(tag, closes)
    else {
      this.#row.xml += tag
      if (this.#cell) this.#openInCell(name, tag, closes)
      else if (name === 'c' && this.#row.rest === '') this.#openCell(this.#row, tag, closes)
      else this.#row.rest += tag
    }
  }

  text(text: string, isLiteral: boolean): void {
    const written = isLiteral ? `<![CDATA[${text}]]>` : text
    if (this.#isInTail) this.tail += written
    else if (!this.#isInRows) this.head += written
    else if (this.#row) {
      this.#row.xml += written
      if (this.#cell) this.#cell.xml += written
      else if (this.#row.rest !== '') this.#row.rest += written
      if (this.#isInFormula && this.#cell?.formula) this.#cell.formula.text += plainText(text, isLiteral)
    } else this.#between += written
  }

  close(name: string, tag: string): void {
    if (this.#isInTail) this.tail += tag
    else if (!this.#isInRows) this.head += tag
    else if (this.#row === null) this.#closeRows(tag)
    else {
      this.#row.xml += tag
      if (this.#cell) this.#closeInCell(name, tag)
      else if (name === 'row') this.#closeRow()
      else this.#row.rest += tag
    }
  }

  other(markup: string): void {
    if (this.#isInTail) this.tail += markup
    else if (!this.#isInRows) this.head += markup
    else if (this.#row) this.#row.xml += markup
    else this.#between += markup
  }

  #openHead(name: string, tag: string, closes: boolean): void {
    if (name === 'col') this.#addColumns(tag)
    if (name !== 'sheetData') {
      this.head += this.#change.head(name, tag)
      return
    }
    this.prefix = tag.slice(1, tag.indexOf('sheetData'))
    this.head += closes ? `${tag.slice(0, -2).trimEnd()}>` : tag
    if (closes) this.#closeRows(`</${this.prefix}sheetData>`)
    else this.#isInRows = true
  }

  #addColumns(tag: string): void {
    const style = attribute(tag, 'style')
    if (style === undefined) return
    const [first, last] = ['min', 'max'].map((name) => Number(attribute(tag, name)) - 1)
    this.columnStyles.push({ first: first ?? 0, last: last ?? 0, style: Number(style) })
  }

  #openRow(tag: string, closes: boolean): void {
    const stated = attribute(tag, 'r')
    const index = stated === undefined ? this.#lastIndex + 1 : Number(stated) - 1
    this.#lastIndex = index
    this.#column = -1
    // Rows may be added in front of it, so it has to state its number.
    const written = stated === undefined ? withAttribute(tag, 'r', String(index + 1)) : tag
    this.#row = { index, tag: written, xml: written, cells: [], rest: '', before: this.#between }
    this.#between = ''
    if (closes) this.#closeRow()
  }

  #closeRow(): void {
    if (this.#row) this.rows.push(this.#row)
    this.#row = null
  }

  #closeRows(tag: string): void {
    this.#isInRows = false
    this.#isInTail = true
    this.tail = this.#between + tag
  }

  #openCell(row: RawRow, tag: string, closes: boolean): void {
    this.#tag.read(tag)
    const { address, style } = this.#tag
    this.#column = address === '' ? this.#column + 1 : columnOf(address)
    const cell = { column: this.#column, style, xml: tag, formula: null }
    row.cells.push(cell)
    this.#cell = closes ? null : cell
  }

  #openInCell(name: string, tag: string, closes: boolean): void {
    if (!this.#cell) return
    const start = this.#cell.xml.length
    this.#cell.xml += tag
    if (name !== 'f') return
    const type = attribute(tag, 't')
    this.#cell.formula = {
      text: '',
      shared: type === 'shared' ? (attribute(tag, 'si') ?? null) : null,
      array: type === 'array' || type === 'dataTable' ? parseArea(attribute(tag, 'ref') ?? '') : null,
      start,
      end: this.#cell.xml.length,
    }
    this.#isInFormula = !closes
  }

  #closeInCell(name: string, tag: string): void {
    if (!this.#cell) return
    this.#cell.xml += tag
    if (name === 'f') {
      this.#isInFormula = false
      if (this.#cell.formula) this.#cell.formula.end = this.#cell.xml.length
    }
    if (name === 'c') this.#cell = null
  }
}
