import { isBlankValue, numberOf } from '../../contract/field-checks/field-rules.ts'
import type { CellValue } from '../../contract/tables.ts'

/** Fewer filled cells say nothing about a column. */
const MIN_CELLS = 10
/** Values repeat if there are at least this many cells for each of them. */
const CELLS_PER_VALUE = 2
/** Longer texts differ before this. */
const CHARACTERS = 100

/** What the sampled cells of a column look like: how often each form and each value occurs. */
export type ColumnValues = {
  filled: number
  forms: Map<string, number>
  values: Map<string, number>
  numbers: number
}

/** Counts the forms and values of a column's cells. Blank cells are left out. */
export function columnValues(cells: readonly CellValue[]): ColumnValues {
  const found: ColumnValues = { filled: 0, forms: new Map(), values: new Map(), numbers: 0 }
  for (const cell of cells) {
    if (isBlankValue(cell)) continue
    found.filled += 1
    const text = String(cell).trim().slice(0, CHARACTERS)
    const form = formOf(cell, text)
    if (form.startsWith('number')) found.numbers += 1
    found.forms.set(form, (found.forms.get(form) ?? 0) + 1)
    found.values.set(text, (found.values.get(text) ?? 0) + 1)
  }
  return found
}

/**
 * How alike two columns are, from 0 to 1: the share of values that they have in common if their texts repeat, otherwise the share of
 * forms. Null: too few cells are filled to say.
 */
export function likeness(one: ColumnValues, other: ColumnValues): number | null {
  if (one.filled < MIN_CELLS || other.filled < MIN_CELLS) return null
  return repeats(one) && repeats(other) ? common(one, other, 'values') : common(one, other, 'forms')
}

/** Whether a column has each of its texts several times. */
export const repeats = ({ filled, values, numbers }: ColumnValues) =>
  numbers < filled / 2 && values.size * CELLS_PER_VALUE <= filled

const common = (one: ColumnValues, other: ColumnValues, of: 'values' | 'forms') =>
  [...one[of]].reduce(
    (sum, [key, count]) => sum + Math.min(count / one.filled, (other[of].get(key) ?? 0) / other.filled),
    0,
  )

// Any notation: a change from 12.50 to 12,50 € is no shift.
const NUMBER =
  /^(?:\p{Sc}|[A-Z]{3} )?[+-]?(?<digits>\d[\d.,'’\u00a0\u202f]*)(?:\p{Sc}| \p{Sc}| ?\p{L}{1,3}|%)?$/u
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?=$|[T ])/
const WORDS = [1, 2, 4, 8]

/** The form of a value, such as a number with three digits, a date, a code of letters and digits, or a text of up to four words. */
function formOf(cell: CellValue, text: string): string {
  if (typeof cell === 'boolean' || /^(true|false|yes|no)$/i.test(text)) return 'boolean'
  if (DATE.test(text)) return 'date'
  if (/^\d{8,}$/.test(text)) return `digits ${text.length}`
  const number = numberOf(cell) ?? NUMBER.exec(text.replaceAll(/(?<=\d) (?=\d)/g, ''))?.groups?.digits
  if (number !== undefined) return numberForm(String(number))
  const isOneWord = !/\s/.test(text)
  if (isOneWord && text.includes('@')) return 'e-mail'
  if (/^\w+:\/\//.test(text)) return 'url'
  if (isOneWord && /\d/.test(text)) return `code ${pattern(text)}`
  const words = text.split(/\s+/).length
  return `words ${WORDS.findLast((most) => words >= most) ?? 1}`
}

function numberForm(text: string): string {
  // Prices lose “.00” in some files, so decimals are no part of the form.
  const whole = text.replace(/\.\d+$|,\d{1,2}$/, '')
  return `number ${whole.replaceAll(/\D/g, '').length}`
}

/** “AB-1234” and “XY-77” have the pattern “A-9”. */
const pattern = (text: string) =>
  text
    .replaceAll(/\p{L}+/gu, 'A')
    .replaceAll(/\d+/g, '9')
    .slice(0, 20)
