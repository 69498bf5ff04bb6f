import type { CellValue, NumberFormat } from '../../contract/tables.ts'

const DAY_MS = 86_400_000
// Day 0 of a spreadsheet.
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** 0001-01-01 as a spreadsheet's day. */
const FIRST_DAY = -693_593
/** The latest time of a JavaScript Date. */
const LAST_MS = 8.64e15

/**
 * A value for a file, which has no number formats. Dates and times become ISO 8601 text with milliseconds; years after 9999 keep all
 * digits, durations may exceed 24 hours or be negative. Other values stay unchanged.
 */
export function dateText(value: CellValue, format: NumberFormat | null | undefined): CellValue {
  if (typeof value !== 'number' || !format) return value
  const ms = Math.round(value * DAY_MS)
  switch (format.type) {
    case 'DATE':
      return isDay(ms) ? dayText(ms) + (ms % DAY_MS === 0 ? '' : ` ${clockText(ms)}`) : value
    case 'DATE_TIME':
      return isDay(ms) ? `${dayText(ms)} ${clockText(ms)}` : value
    case 'TIME':
      return Math.abs(ms) <= LAST_MS ? durationText(ms) : value
    default:
      return value
  }
}

/** The same as text; blank: it is blank. */
export const valueText = (value: CellValue, format: NumberFormat | null | undefined): string =>
  String(dateText(value, format) ?? '')

const isDay = (ms: number) => ms >= FIRST_DAY * DAY_MS && EPOCH_MS + ms <= LAST_MS

function dayText(ms: number): string {
  const day = new Date(EPOCH_MS + ms)
  const year = String(day.getUTCFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(day.getUTCMonth() + 1)}-${twoDigits(day.getUTCDate())}`
}

/** The time of a day. */
const clockText = (ms: number) => durationText(((ms % DAY_MS) + DAY_MS) % DAY_MS)

function durationText(ms: number): string {
  const length = Math.abs(ms)
  const seconds = Math.floor(length / 1000)
  const rest = length % 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = parts.map(twoDigits).join(':') + (rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`)
  return ms < 0 ? `-${text}` : text
}

const twoDigits = (part: number) => String(part).padStart(2, '0')
