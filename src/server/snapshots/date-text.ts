import type { CellValue, NumberFormat } from '../../contract/tables.ts'

const DAY_MS = 86_400_000
// Day 0 of a spreadsheet.
const EPOCH_MS = Date.UTC(1899, 11, 30)
const LAST_DAY = 2_958_466

/**
 * A value for a file, which has no number formats: what its format shows as a date or a time as ISO 8601 writes it, to the
 * millisecond, hours of a duration counted on; anything else as it is.
 */
export function dateText(value: CellValue, format: NumberFormat | null | undefined): CellValue {
  if (typeof value !== 'number' || !format || value < 0 || value >= LAST_DAY) return value
  const ms = Math.round(value * DAY_MS)
  const date = () => new Date(EPOCH_MS + ms).toISOString()
  switch (format.type) {
    case 'DATE':
      return ms % DAY_MS === 0 ? date().slice(0, 10) : momentText(date())
    case 'DATE_TIME':
      return momentText(date())
    case 'TIME':
      return `${twoDigits(Math.floor(ms / 3_600_000))}${withoutZero(date().slice(13, 23))}`
    default:
      return value
  }
}

const momentText = (iso: string) => `${iso.slice(0, 10)} ${withoutZero(iso.slice(11, 23))}`
const withoutZero = (time: string) => time.replace(/\.000$/, '')
const twoDigits = (hours: number) => String(hours).padStart(2, '0')
