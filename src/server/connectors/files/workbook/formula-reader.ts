import { type CellArea, contains, parseArea } from './cell-area.ts'
import { shiftFormula } from './shift-formula.ts'
import { attribute } from './xml-text.ts'

/** A formula that cells share, and the cell that has it. */
type SharedFormula = { text: string; row: number; column: number }

/** The formulas of a sheet while it is read from the top. */
export class FormulaReader {
  readonly #shared = new Map<string, SharedFormula>()
  #arrays: CellArea[] = []
  #tag = ''
  #text = ''

  moveTo(row: number): void {
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ bottom }) => bottom >= row)
  }

  open(tag: string): void {
    this.#tag = tag
    this.#text = ''
  }

  text(text: string): void {
    this.#text += text
  }

  /** The formula of a cell as text that begins with "=". Row and column count from 0. */
  end(row: number, column: number): string {
    const type = attribute(this.#tag, 't')
    const area =
      type === 'array' || type === 'dataTable' ? parseArea(attribute(this.#tag, 'ref') ?? '') : null
    if (area) this.#arrays.push(area)
    const shared = type === 'shared' ? (attribute(this.#tag, 'si') ?? '') : null
    if (shared !== null && this.#text !== '') this.#shared.set(shared, { text: this.#text, row, column })
    const first = shared === null || this.#text !== '' ? undefined : this.#shared.get(shared)
    const own = first ? shiftFormula(first.text, row - first.row, column - first.column) : this.#text
    // Excel shows a data table as this function.
    return `=${own === '' && type === 'dataTable' ? 'TABLE()' : own}`
  }

  /** Whether an array formula fills a cell. */
  fills(row: number, column: number): boolean {
    return this.#arrays.length > 0 && this.#arrays.some((area) => contains(area, row, column))
  }
}
