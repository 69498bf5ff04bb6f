import type { CellValue, Row } from '../../../../contract/tables.ts'

/** Values of a row by which it is ordered, and their comparison. */
export type Order = {
  keysOf: (row: Row) => CellValue[]
  compare: (one: readonly CellValue[], other: readonly CellValue[]) => number
}

type By = { index: number; descending: boolean }

const collator = new Intl.Collator('en', { numeric: true })

/** Numbers come before texts, texts before booleans, and blank cells last in both directions, as in Google Sheets. */
export const orderBy = (columns: readonly By[]): Order => ({
  keysOf: (row) => columns.map(({ index }) => (row[index] === '' ? null : (row[index] ?? null))),
  compare(one, other) {
    for (const [place, { descending }] of columns.entries()) {
      const [a = null, b = null] = [one[place], other[place]]
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1
        continue
      }
      const order = compareCells(a, b)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  },
})

type Filled = Exclude<CellValue, null>

const kinds = ['number', 'string', 'boolean']

function compareCells(one: Filled, other: Filled): number {
  const kind = kinds.indexOf(typeof one) - kinds.indexOf(typeof other)
  if (kind !== 0) return kind
  if (typeof one === 'string' && typeof other === 'string') return collator.compare(one, other)
  return Number(one) - Number(other)
}
