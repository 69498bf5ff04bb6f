import type { BookView, SheetView } from '../model/book.ts'
import { CellError, type Content, Formula, isErrorText, type Result } from '../model/content.ts'
import { type Expression, parseFormula } from './parse.ts'
import type { Reference } from './tokens.ts'

interface Cell {
  readonly sheet: SheetView
  readonly formula: Formula
}

const parsed = new WeakMap<Formula, { expression: Expression | null }>()

/**
 * Evaluates formulas of one book state: arithmetic, comparison, concatenation, references and SUM. Other functions give #NAME?.
 * Results are cached.
 */
export class Calculator {
  readonly #book: BookView
  readonly #results = new Map<SheetView, Map<Formula, Result>>()

  constructor(book: BookView) {
    this.#book = book
  }

  /** Displayed result of a cell's content. */
  result(sheet: SheetView, content: Content): Result {
    if (!(content instanceof Formula)) return content
    const known = this.#known(sheet).get(content)
    if (known !== undefined) return known
    this.#settle(sheet, content)
    return this.#known(sheet).get(content) ?? null
  }

  /** Evaluates a formula after its dependencies. Uses an explicit stack, because chains may exceed the call stack. */
  #settle(sheet: SheetView, formula: Formula): void {
    const waiting: Cell[] = [{ sheet, formula }]
    const opened = new Set<Formula>()
    for (let cell = waiting.at(-1); cell; cell = waiting.at(-1)) {
      const expression = expressionOf(cell.formula)
      if (!opened.has(cell.formula)) {
        opened.add(cell.formula)
        const unknown = this.#formulasIn(cell.sheet, expression).filter(
          (other) => !opened.has(other.formula) && !this.#known(other.sheet).has(other.formula),
        )
        for (const other of unknown) waiting.push(other)
        if (unknown.length > 0) continue
      }
      waiting.pop()
      const results = this.#known(cell.sheet)
      // A blank result is shown as 0, like a reference to a blank cell.
      if (!results.has(cell.formula)) results.set(cell.formula, this.#evaluate(cell.sheet, expression) ?? 0)
    }
  }

  #formulasIn(home: SheetView, expression: Expression | null): Cell[] {
    return referencesOf(expression).flatMap((reference) => {
      const sheet = this.#target(home, reference)
      if (!sheet) return []
      const { startRow = 0, endRow, startColumn = 0, endColumn } = reference.area
      return sheet.grid.rows
        .slice(startRow, endRow)
        .flatMap((row) => row?.cells.slice(startColumn, endColumn) ?? [])
        .filter((content) => content instanceof Formula)
        .map((formula) => ({ sheet, formula }))
    })
  }

  #known(sheet: SheetView): Map<Formula, Result> {
    let results = this.#results.get(sheet)
    if (!results) {
      results = new Map()
      this.#results.set(sheet, results)
    }
    return results
  }

  #evaluate(sheet: SheetView, expression: Expression | null): Result {
    if (!expression) return new CellError('#ERROR!', 'Formula parse error.')
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'error':
        return new CellError(isErrorText(expression.text) ? expression.text : '#ERROR!')
      case 'name':
        return new CellError('#NAME?', `Unknown range name: '${expression.name}'.`)
      case 'reference':
        return this.#cell(sheet, expression.reference)
      case 'call':
        if (expression.name === 'SUM') return this.#sum(sheet, expression.args)
        return new CellError('#NAME?', `Unknown function: '${expression.name}'.`)
      case 'unary': {
        const value = numeric(this.#evaluate(sheet, expression.operand))
        if (value instanceof CellError) return value
        return expression.operator === '%' ? value / 100 : expression.operator === '-' ? -value : value
      }
      case 'binary':
        return combined(
          expression.operator,
          this.#evaluate(sheet, expression.left),
          this.#evaluate(sheet, expression.right),
        )
    }
  }

  #cell(sheet: SheetView, reference: Reference): Result {
    const target = this.#target(sheet, reference)
    if (!target) return new CellError('#REF!')
    const { startRow, endRow, startColumn, endColumn } = reference.area
    if (startRow === undefined || startColumn === undefined) return new CellError('#VALUE!')
    if (endRow !== startRow + 1 || endColumn !== startColumn + 1) return new CellError('#VALUE!')
    return this.#settled(target, target.grid.content(startRow, startColumn))
  }

  /** Result of a cell whose formula has already been evaluated; a circular reference gives an error. */
  #settled(sheet: SheetView, content: Content): Result {
    if (!(content instanceof Formula)) return content
    return this.#known(sheet).get(content) ?? new CellError('#REF!', 'Circular dependency detected.')
  }

  #sum(sheet: SheetView, args: readonly Expression[]): Result {
    let total = 0
    for (const arg of args) {
      if (arg.kind !== 'reference') {
        const value = numeric(this.#evaluate(sheet, arg))
        if (value instanceof CellError) return value
        total += value
        continue
      }
      const target = this.#target(sheet, arg.reference)
      if (!target) return new CellError('#REF!')
      const { startRow = 0, endRow, startColumn = 0, endColumn } = arg.reference.area
      for (const row of target.grid.rows.slice(startRow, endRow)) {
        for (const content of row?.cells.slice(startColumn, endColumn) ?? []) {
          const value = this.#settled(target, content)
          if (value instanceof CellError) return value
          // SUM ignores text and booleans in ranges.
          if (typeof value === 'number') total += value
        }
      }
    }
    return total
  }

  #target(sheet: SheetView, reference: Reference): SheetView | undefined {
    const title = reference.sheet?.toLowerCase()
    const found =
      title === undefined
        ? sheet
        : this.#book.sheets.find(({ properties }) => properties.title.toLowerCase() === title)
    const { startRow = 0, startColumn = 0 } = reference.area
    return found && startRow < found.grid.rowCount && startColumn < found.grid.columnCount ? found : undefined
  }
}

function referencesOf(expression: Expression | null): Reference[] {
  switch (expression?.kind) {
    case 'reference':
      return [expression.reference]
    case 'call':
      return expression.args.flatMap(referencesOf)
    case 'unary':
      return referencesOf(expression.operand)
    case 'binary':
      return [...referencesOf(expression.left), ...referencesOf(expression.right)]
    default:
      return []
  }
}

function expressionOf(formula: Formula): Expression | null {
  let known = parsed.get(formula)
  if (!known) {
    known = { expression: parseFormula(formula.text.slice(1)) }
    parsed.set(formula, known)
  }
  return known.expression
}

function numeric(value: Result): number | CellError {
  if (value === null || value === '') return 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return value
  const number = Number(value)
  return Number.isNaN(number)
    ? new CellError('#VALUE!', `'${value}' is a text and cannot be coerced to a number.`)
    : number
}

function combined(operator: string, left: Result, right: Result): Result {
  if (left instanceof CellError) return left
  if (right instanceof CellError) return right
  if (operator === '&') return `${shown(left)}${shown(right)}`
  if (operator in COMPARISONS) return COMPARISONS[operator]?.(compare(left, right)) ?? null
  const a = numeric(left)
  const b = numeric(right)
  if (a instanceof CellError) return a
  if (b instanceof CellError) return b
  if (operator === '/' && b === 0)
    return new CellError('#DIV/0!', 'Function DIVIDE parameter 2 cannot be zero.')
  const value = arithmetic(operator, a, b)
  return Number.isFinite(value) ? value : new CellError('#NUM!')
}

function arithmetic(operator: string, a: number, b: number): number {
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  if (operator === '/') return a / b
  return a ** b
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
}

/** Order of Sheets: numbers, text (case-insensitive), booleans. A blank equals 0, "" and FALSE. */
function compare(left: string | number | boolean | null, right: string | number | boolean | null): number {
  const a = left ?? blankLike(right)
  const b = right ?? blankLike(left)
  const rank = (value: string | number | boolean) => ['number', 'string', 'boolean'].indexOf(typeof value)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  const [x, y] = typeof a === 'string' && typeof b === 'string' ? [a.toLowerCase(), b.toLowerCase()] : [a, b]
  return x < y ? -1 : x > y ? 1 : 0
}

function blankLike(other: string | number | boolean | null): string | number | boolean {
  return typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0
}

function shown(value: string | number | boolean | null): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '')
}
