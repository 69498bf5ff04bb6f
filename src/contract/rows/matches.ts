import type { CellValue } from '../tables.ts'
import { type Condition, isoMoment, plainNumber } from './conditions.ts'

/** Spreadsheets count days from this date. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/** Text in the form in which it is compared: Unicode NFC, trimmed, in lower case. */
const folded = (text: string) => text.normalize('NFC').trim().toLowerCase()

/** A cell as text, as it is stored; booleans as TRUE and FALSE. */
export const cellText = (cell: CellValue): string =>
  typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell ?? '')

/**
 * Returns the test of a condition. Numbers compare with numbers only: a number that is written as text, such as "1.234,50", is text.
 * Dates are numbers in spreadsheets, counted in days, and ISO 8601 text in other sources; a blank cell is never before or after.
 */
export function matcher({ operator, values }: Condition): (cell: CellValue) => boolean {
  const [value = ''] = values
  switch (operator) {
    case 'is':
      return isOneOf([value])
    case 'is_not': {
      const is = isOneOf([value])
      return (cell) => !is(cell)
    }
    case 'one_of':
      return isOneOf(values)
    case 'contains': {
      const part = folded(value)
      return (cell) => folded(cellText(cell)).includes(part)
    }
    case 'begins_with': {
      const start = folded(value)
      return (cell) => folded(cellText(cell)).startsWith(start)
    }
    case 'blank':
      return isBlank
    case 'not_blank':
      return (cell) => !isBlank(cell)
    case 'less':
      return numeric(value, (cell, limit) => cell < limit)
    case 'at_most':
      return numeric(value, (cell, limit) => cell <= limit)
    case 'at_least':
      return numeric(value, (cell, limit) => cell >= limit)
    case 'greater':
      return numeric(value, (cell, limit) => cell > limit)
    case 'on':
      return dated(value, (cell, day) => cell >= day && cell < day + DAY_MS)
    case 'before':
      return dated(value, (cell, limit) => cell < limit)
    case 'after':
      // The whole day is meant.
      return dated(value, (cell, limit) => cell >= limit + DAY_MS)
  }
}

const isBlank = (cell: CellValue) => cellText(cell).trim() === ''

function isOneOf(values: readonly string[]): (cell: CellValue) => boolean {
  const texts = new Set(values.map(folded))
  const numbers = new Set(values.flatMap((value) => plainNumber(value) ?? []))
  return (cell) => texts.has(folded(cellText(cell))) || (typeof cell === 'number' && numbers.has(cell))
}

function numeric(
  value: string,
  holds: (cell: number, limit: number) => boolean,
): (cell: CellValue) => boolean {
  const limit = plainNumber(value) ?? Number.NaN
  return (cell) => typeof cell === 'number' && holds(cell, limit)
}

function dated(value: string, holds: (cell: number, limit: number) => boolean): (cell: CellValue) => boolean {
  const limit = isoMoment(value) ?? Number.NaN
  return (cell) => {
    const moment = typeof cell === 'number' ? EPOCH_MS + cell * DAY_MS : isoMoment(cellText(cell))
    return moment !== null && holds(moment, limit)
  }
}
