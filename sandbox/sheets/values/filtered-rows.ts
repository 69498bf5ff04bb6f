import { notInSandbox } from '../../google-error.ts'
import { Calculator } from '../formula/calculate.ts'
import type { BookView, SheetView } from '../model/book.ts'
import type { Result } from '../model/content.ts'
import { isJson, type Json } from '../model/json.ts'
import { shownText } from './number-format.ts'

type Test = (value: Result, text: string) => boolean

const CONDITIONS: Readonly<Record<string, (first: string, second: string) => Test>> = {
  BLANK: () => (_, text) => text === '',
  NOT_BLANK: () => (_, text) => text !== '',
  TEXT_EQ: (wanted) => (_, text) => text.toLowerCase() === wanted.toLowerCase(),
  TEXT_CONTAINS: (wanted) => (_, text) => text.toLowerCase().includes(wanted.toLowerCase()),
  TEXT_NOT_CONTAINS: (wanted) => (_, text) => !text.toLowerCase().includes(wanted.toLowerCase()),
  TEXT_STARTS_WITH: (wanted) => (_, text) => text.toLowerCase().startsWith(wanted.toLowerCase()),
  TEXT_ENDS_WITH: (wanted) => (_, text) => text.toLowerCase().endsWith(wanted.toLowerCase()),
  NUMBER_EQ: (limit) => (value) => value === Number(limit),
  NUMBER_NOT_EQ: (limit) => (value) => value !== Number(limit),
  NUMBER_GREATER: (limit) => (value) => typeof value === 'number' && value > Number(limit),
  NUMBER_GREATER_THAN_EQ: (limit) => (value) => typeof value === 'number' && value >= Number(limit),
  NUMBER_LESS: (limit) => (value) => typeof value === 'number' && value < Number(limit),
  NUMBER_LESS_THAN_EQ: (limit) => (value) => typeof value === 'number' && value <= Number(limit),
  NUMBER_BETWEEN: (low, high) => (value) => isBetween(value, low, high),
  NUMBER_NOT_BETWEEN: (low, high) => (value) => !isBetween(value, low, high),
}

/** Rows hidden by a user or by the filter. */
export function hiddenRows(book: BookView, sheet: SheetView): ReadonlySet<number> {
  const byUser = [...sheet.layers.rows].flatMap(([row, { hiddenByUser }]) => (hiddenByUser ? [row] : []))
  return new Set([...byUser, ...filteredRows(book, sheet)])
}

/**
 * Rows hidden by the filter for the current values; the real service evaluates it when the filter is set. Throws 400 for
 * unsupported criteria.
 */
export function filteredRows(book: BookView, sheet: SheetView): ReadonlySet<number> {
  const filtered = new Set<number>()
  const { basicFilter, grid } = sheet
  if (!basicFilter) return filtered
  const tests = criteriaOf(basicFilter.rest).map(({ column, criterion }) => ({
    column,
    test: testOf(criterion),
  }))
  if (tests.length === 0) return filtered
  const calculator = new Calculator(book)
  const { startRow, endRow } = basicFilter.range
  // The first row is the header.
  for (let row = startRow + 1; row < endRow; row++) {
    const shown = tests.every(({ column, test }) => {
      const value = calculator.result(sheet, grid.content(row, column))
      return test(value, shownText(value, book.formats.get(grid.format(row, column)), book.locale))
    })
    if (!shown) filtered.add(row)
  }
  return filtered
}

/** `filterSpecs` take precedence. */
function criteriaOf({ criteria, filterSpecs }: Json): { column: number; criterion: Json }[] {
  if (Array.isArray(filterSpecs)) {
    return filterSpecs.filter(isJson).map(({ columnIndex, filterCriteria }) => ({
      column: typeof columnIndex === 'number' ? columnIndex : 0,
      criterion: isJson(filterCriteria) ? filterCriteria : {},
    }))
  }
  return Object.entries(isJson(criteria) ? criteria : {}).map(([column, criterion]) => {
    return { column: Number(column), criterion: isJson(criterion) ? criterion : {} }
  })
}

function testOf({ hiddenValues, condition, ...others }: Json): Test {
  const [other] = Object.keys(others)
  if (other !== undefined) throw notInSandbox(`filtering by ${other}`)
  const hidden = new Set(Array.isArray(hiddenValues) ? hiddenValues : [])
  const holds = isJson(condition) ? conditionOf(condition) : () => true
  return (value, text) => !hidden.has(text) && holds(value, text)
}

function conditionOf({ type, values }: Json): Test {
  const make = typeof type === 'string' && Object.hasOwn(CONDITIONS, type) ? CONDITIONS[type] : undefined
  if (!make) throw notInSandbox(`the filter condition ${String(type)}`)
  const [first = '', second = ''] = (Array.isArray(values) ? values : []).map((value: unknown) =>
    isJson(value) ? String(value.userEnteredValue ?? '') : '',
  )
  return make(first, second)
}

function isBetween(value: Result, low: string, high: string): boolean {
  return typeof value === 'number' && value >= Number(low) && value <= Number(high)
}
