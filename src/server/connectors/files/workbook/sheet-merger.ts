import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { CellPlace } from '../../connector.ts'
import { cellAddress } from '../../google-sheets/a1.ts'
import { areaText, type CellArea, contains } from './cell-area.ts'
import { cellNumber } from './cell-values.ts'
import { type CellFrame, cellXml, formulaXml } from './cell-xml.ts'
import type { RawCell, RawFormula, RawRow, RawSheet } from './raw-sheet.ts'
import { refusal } from './refusal.ts'
import { shiftFormula } from './shift-formula.ts'
import type { StyleBook } from './style-book.ts'
import type { PatchCell, PatchRow } from './tab-change.ts'
import { attribute, encodeMarkup, withAttribute } from './xml-text.ts'

/** Formula of a cell that was overwritten although others share it, and where it was. */
type LostFormula = { text: string; row: number; column: number }

export type MergeContext = {
  tab: string
  merged: readonly CellArea[]
  styles: StyleBook
  countsFrom1904: boolean
}

/** Writes rows of a sheet with cells of a change in their places. Throws OriginFailure. */
export class SheetMerger {
  readonly #sheet: RawSheet
  readonly #context: MergeContext
  readonly #lost = new Map<string, LostFormula>()
  #arrays: CellArea[] = []
  /** Styles of the last cells of the sheet, which new rows below take over. */
  readonly #above = new Map<number, number>()

  constructor(sheet: RawSheet, context: MergeContext) {
    this.#sheet = sheet
    this.#context = context
  }

  /** A row that stays, or with changed cells. */
  row(raw: RawRow, patch: PatchRow | undefined): string {
    this.#note(raw)
    if (patch) return this.#changed(raw, patch.cells)
    const needs = this.#lost.size > 0 && raw.cells.some(({ formula }) => this.#lostOf(formula) !== undefined)
    return needs ? this.#changed(raw, []) : raw.xml
  }

  /** A row that the sheet does not have. */
  newRow({ row, cells }: PatchRow): string {
    const tag = `<${this.#sheet.prefix}row r="${row}">`
    const written = cells.map((cell) => this.#cell(row - 1, cell, this.#newStyle(cell.column, true)))
    for (const patch of cells) this.#refuseInside(row - 1, patch)
    return written.every((xml) => xml === '') ? '' : this.#inRow(tag, written.join(''))
  }

  #changed(raw: RawRow, patches: readonly PatchCell[]): string {
    const cells: string[] = []
    const rowStyle = rowStyleOf(raw.tag)
    let next = 0
    const addUntil = (column: number) => {
      for (let patch = patches[next]; patch && patch.column < column; patch = patches[next]) {
        cells.push(this.#cell(raw.index, patch, rowStyle ?? this.#newStyle(patch.column, false)))
        next += 1
      }
    }
    for (const patch of patches) this.#refuseInside(raw.index, patch)
    for (const cell of raw.cells) {
      addUntil(cell.column)
      const patch = patches[next]
      if (patch?.column === cell.column) {
        if (keepsValue(patch)) cells.push(this.#formatted(raw.index, cell, patch.format))
        else this.#loseFormula(raw.index, cell)
        if (!keepsValue(patch)) cells.push(this.#cell(raw.index, patch, cell.style))
        next += 1
      } else cells.push(this.#kept(raw.index, cell))
    }
    addUntil(Number.POSITIVE_INFINITY)
    // How far the cells reach is only a hint, and may not be true any more.
    return this.#inRow(withAttribute(raw.tag, 'spans', undefined), cells.join('') + raw.rest)
  }

  #inRow(tag: string, content: string): string {
    const open = tag.endsWith('/>') ? `${tag.slice(0, -2).trimEnd()}>` : tag
    return `${open}${content}</${this.#sheet.prefix}row>`
  }

  #cell(row: number, { column, value = null, formula, format }: PatchCell, style: number): string {
    const { styles } = this.#context
    const wanted = format === undefined ? style : styles.withFormat(style, format)
    const address = cellAddress(row, column)
    return formula === undefined
      ? cellXml(address, value, wanted, this.#frame)
      : formulaXml(address, formula, wanted, this.#sheet.prefix)
  }

  /** A cell that keeps its value and gets another format. A number that becomes a date, or was one, is the same day number. */
  #formatted(row: number, raw: RawCell, format: PatchCell['format']): string {
    const { styles, countsFrom1904 } = this.#context
    const style = format === undefined ? raw.style : styles.withFormat(raw.style, format)
    if (style === raw.style) return this.#kept(row, raw)
    const tag = raw.xml.slice(0, raw.xml.indexOf('>') + 1)
    if (raw.formula === null && styles.isDate(style) !== styles.isDate(raw.style)) {
      const type = attribute(tag, 't') ?? 'n'
      const text = type === 'n' ? valueText(raw.xml) : null
      const value = text === null ? null : cellNumber(text, raw.style, styles, countsFrom1904)
      if (value !== null) return cellXml(cellAddress(row, raw.column), value, style, this.#frame)
    }
    return this.#kept(row, raw, style)
  }

  get #frame(): CellFrame {
    const { styles, countsFrom1904 } = this.#context
    return { prefix: this.#sheet.prefix, styles, countsFrom1904 }
  }

  /** A cell that stays, with its style or another one. If the formula that it shared is gone, it gets its own. */
  #kept(row: number, cell: RawCell, style = cell.style): string {
    const { column, formula } = cell
    const lost = this.#lostOf(formula)
    const xml = lost && formula ? this.#ownFormula(cell.xml, formula, lost, { row, column }) : cell.xml
    const end = xml.indexOf('>') + 1
    const tag = xml.slice(0, end)
    const isStated = attribute(tag, 'r') !== undefined
    if (isStated && style === cell.style) return xml
    const placed = isStated ? tag : withAttribute(tag, 'r', cellAddress(row, column))
    const styled = style === 0 ? undefined : String(style)
    return (style === cell.style ? placed : withAttribute(placed, 's', styled)) + xml.slice(end)
  }

  #ownFormula(xml: string, { start, end }: RawFormula, lost: LostFormula, cell: CellPlace): string {
    const { prefix } = this.#sheet
    const own = encodeMarkup(shiftFormula(lost.text, cell.row - lost.row, cell.column - lost.column))
    return `${xml.slice(0, start)}<${prefix}f>${own}</${prefix}f>${xml.slice(end)}`
  }

  #lostOf(formula: RawCell['formula']): LostFormula | undefined {
    return formula?.shared != null && formula.text === '' ? this.#lost.get(formula.shared) : undefined
  }

  #loseFormula(row: number, { column, formula }: RawCell): void {
    if (formula?.shared != null && formula.text !== '')
      this.#lost.set(formula.shared, { text: formula.text, row, column })
  }

  #note(raw: RawRow): void {
    this.#arrays = this.#arrays.filter(({ bottom }) => bottom >= raw.index)
    for (const { column, style, formula } of raw.cells) {
      this.#above.set(column, style)
      if (formula?.array && areaText(formula.array).includes(':')) this.#arrays.push(formula.array)
    }
  }

  #newStyle(column: number, isNewRow: boolean): number {
    const above = isNewRow ? this.#above.get(column) : undefined
    const ofColumn = this.#sheet.columnStyles.find(({ first, last }) => column >= first && column <= last)
    return above ?? ofColumn?.style ?? 0
  }

  #refuseInside(row: number, patch: PatchCell): void {
    if (keepsValue(patch)) return
    const { merged, tab } = this.#context
    const { column, value = null, formula } = patch
    const hasValue = value !== null || formula !== undefined
    if (this.#arrays.some((area) => contains(area, row, column)))
      throw refusal(fileMessages.array_formula(cellAddress(row, column), tab))
    const area = hasValue ? merged.find((one) => contains(one, row, column)) : undefined
    if (area && !(area.top === row && area.left === column))
      throw refusal(fileMessages.merged_cell(cellAddress(row, column), areaText(area)))
  }
}

const keepsValue = ({ value, formula }: PatchCell) => value === undefined && formula === undefined

function rowStyleOf(tag: string): number | null {
  const isCustom = attribute(tag, 'customFormat')
  const style = attribute(tag, 's')
  return style !== undefined && (isCustom === '1' || isCustom === 'true') ? Number(style) : null
}

/** The text of a cell's value as it is written; null: it has none. */
function valueText(xml: string): string | null {
  const start = xml.indexOf('v>') + 2
  return start < 2 ? null : xml.slice(start, xml.indexOf('<', start))
}
