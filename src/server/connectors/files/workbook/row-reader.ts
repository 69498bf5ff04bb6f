import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { cellAddress } from '../../google-sheets/a1.ts'
import { type CellArea, columnOf, MAX_COLUMNS, MAX_ROWS } from './cell-area.ts'
import { CellTag } from './cell-tag.ts'
import { cellNumber, errorText, isoDate } from './cell-values.ts'
import { FormulaReader } from './formula-reader.ts'
import { MergedCells } from './merged-cells.ts'
import type { CellStyles } from './number-formats.ts'
import { broken, refusal } from './refusal.ts'
import { plainText, TextCollector } from './text-collector.ts'
import type { SharedStrings } from './text-table.ts'
import type { ReadOptions, SheetRow } from './workbook.ts'
import { attribute, storableText, unescapeText } from './xml-text.ts'
import type { XmlHandler } from './xml-tokens.ts'

/** What the cells of a sheet refer to. */
export type RowContext = {
  /** Names of file and tab, for messages. */
  file: string
  tab: string
  strings: SharedStrings
  styles: CellStyles
  countsFrom1904: boolean
  /** Merged areas: their cells other than the first are blank, as in Google Sheets. */
  merged: readonly CellArea[]
  /** Only the first columns. Default: all. */
  columns?: number | undefined
  formulas?: ReadOptions['formulas']
  blank_styles?: boolean | undefined
}

const NONE: readonly number[] = []

/** Makes rows of the tokens of a sheet. They are added to `rows`, from where the caller takes them. Throws OriginFailure and XmlFault. */
export class RowReader implements XmlHandler {
  rows: SheetRow[] = []
  readonly #context: RowContext
  readonly #columns: number
  readonly #merged: MergedCells
  readonly #inline = new TextCollector()
  #isInData = false
  #row: SheetRow | null = null
  /** Those of the row, if it has any. */
  #formulas: number[] = []
  /** Row and column of the cell, counted from 0. */
  #rowIndex = -1
  #column = -1
  #isInCell = false
  readonly #tag = new CellTag()
  #style = 0
  #value: string | null = null
  #isInValue = false
  #isFormula = false
  readonly #formula = new FormulaReader()
  #isInFormula = false
  #hasInline = false

  constructor(context: RowContext) {
    this.#context = context
    this.#columns = context.columns ?? MAX_COLUMNS
    this.#merged = new MergedCells(context.merged)
  }

  open(name: string, tag: string, closes: boolean): void {
    if (this.#isInCell) this.#openInCell(name, tag, closes)
    else if (this.#row !== null) {
      if (name === 'c') this.#openCell(tag, closes)
    } else if (this.#isInData) {
      if (name === 'row') this.#openRow(tag, closes)
    } else if (name === 'sheetData') this.#isInData = !closes
  }

  text(text: string, isLiteral: boolean): void {
    if (this.#isInFormula) this.#formula.text(plainText(text, isLiteral))
    else if (this.#isInValue) this.#value = (this.#value ?? '') + plainText(text, isLiteral)
    else if (this.#hasInline) this.#inline.text(text, isLiteral)
  }

  close(name: string): void {
    if (name === 'c' && this.#isInCell) this.#closeCell()
    else if (this.#isInCell) {
      if (name === 'v') this.#isInValue = false
      else if (name === 'f') this.#isInFormula = false
      else this.#inline.close(name)
    } else if (name === 'row') this.#closeRow()
    else if (name === 'sheetData') this.#isInData = false
  }

  #openRow(tag: string, closes: boolean): void {
    const stated = attribute(tag, 'r')
    const index = stated === undefined ? this.#rowIndex + 1 : Number(stated) - 1
    if (!(index < MAX_ROWS)) throw this.#broken(fileMessages.cell_outside(this.#context.tab))
    if (index <= this.#rowIndex)
      throw this.#broken(fileMessages.rows_out_of_order(index + 1, this.#context.tab))
    this.#rowIndex = index
    this.#column = -1
    const hidden = attribute(tag, 'hidden')
    const isHidden = hidden === '1' || hidden === 'true'
    this.#row = { row: index + 1, cells: [], styles: [], isHidden, formulas: NONE }
    this.#merged.moveTo(index)
    this.#formula.moveTo(index)
    if (closes) this.#closeRow()
  }

  #closeRow(): void {
    const row = this.#row
    this.#row = null
    if (row === null) return
    if (row.cells.length > 0) this.rows.push(row)
  }

  #openCell(tag: string, closes: boolean): void {
    this.#tag.read(tag)
    const { address } = this.#tag
    this.#column = address === '' ? this.#column + 1 : columnOf(address)
    if (this.#column < 0 || this.#column >= MAX_COLUMNS)
      throw this.#broken(fileMessages.cell_outside(this.#context.tab))
    this.#style = this.#tag.style
    this.#value = null
    this.#isFormula = false
    this.#hasInline = false
    this.#isInCell = !closes
    if (closes && this.#context.blank_styles) this.#closeCell()
  }

  #openInCell(name: string, tag: string, closes: boolean): void {
    if (name === 'v') {
      this.#isInValue = !closes
      this.#value = ''
    } else if (name === 'f') {
      this.#isFormula = true
      this.#isInFormula = !closes
      this.#formula.open(tag)
    } else if (name === 'is') {
      this.#hasInline = !closes
      this.#inline.begin()
    } else if (this.#hasInline) this.#inline.open(name, tag, closes)
  }

  #closeCell(): void {
    this.#isInCell = false
    const row = this.#row
    if (row === null || this.#column >= this.#columns || this.#merged.covers(this.#rowIndex, this.#column))
      return
    if (this.#isFormula) this.#addFormula(row)
    const value = this.#isFormula ? this.#formulaValue() : this.#constant()
    this.#hasInline = false
    if (value === null && !(this.#context.blank_styles && this.#style !== 0)) return
    while (row.cells.length < this.#column) {
      row.cells.push(null)
      row.styles.push(0)
    }
    row.cells[this.#column] = value
    row.styles[this.#column] = this.#style
  }

  #addFormula(row: SheetRow): void {
    if (row.formulas === NONE) {
      this.#formulas = []
      row.formulas = this.#formulas
    }
    this.#formulas.push(this.#column)
  }

  #formulaValue(): CellValue {
    const text = this.#formula.end(this.#rowIndex, this.#column)
    const { formulas = 'values' } = this.#context
    if (formulas === 'values') return this.#cellValue()
    return formulas === 'texts' ? storableText(unescapeText(text)) : null
  }

  #constant(): CellValue {
    const isOmitted =
      this.#context.formulas === 'omitted' && this.#formula.fills(this.#rowIndex, this.#column)
    return isOmitted ? null : this.#cellValue()
  }

  #cellValue(): CellValue {
    const text = this.#value
    if (this.#isFormula && (text === null || (text === '' && this.#tag.type !== 'str')))
      throw refusal(fileMessages.formula_without_value(this.#address, this.#context.tab))
    if (this.#tag.type === 'inlineStr' || (this.#hasInline && text === null))
      return (this.#hasInline ? this.#inline.end() : storableText(unescapeText(text ?? ''))) || null
    if (text === null || text === '') return null
    switch (this.#tag.type) {
      case 's':
        return this.#sharedText(text)
      case 'n':
        return this.#checked(
          cellNumber(text, this.#style, this.#context.styles, this.#context.countsFrom1904),
        )
      case 'b':
        return text.trim() === '1' || text.trim().toLowerCase() === 'true'
      case 'e':
        return errorText(text)
      case 'd':
        return this.#date(text)
      default:
        return storableText(unescapeText(text))
    }
  }

  #sharedText(text: string): CellValue {
    const shared = this.#context.strings.text(Number(text))
    if (shared === undefined) throw this.#broken(fileMessages.text_missing(this.#address, this.#context.tab))
    return shared === '' ? null : shared
  }

  #date(text: string): CellValue {
    const date = isoDate(text)
    if (date && !this.#context.styles.format(this.#style)) this.#style = date.style
    return this.#checked(date?.serial ?? null)
  }

  #checked(value: number | null): number {
    if (value === null) throw this.#broken(fileMessages.value_invalid(this.#address, this.#context.tab))
    return value
  }

  get #address(): string {
    return cellAddress(this.#rowIndex, this.#column)
  }

  #broken(detail: string) {
    return broken(this.#context.file, detail)
  }
}
