import type { CellValue } from '../../../../contract/tables.ts'
import { isSpreadsheetError, LOADING } from '../../../snapshots/spreadsheet-errors.ts'
import type { CellStyles } from './number-formats.ts'

const ISO_DATE = -1
const ISO_DATE_TIME = -2
const ISO_TIME = -3

/** Types of format by the styles of cells that contain ISO 8601 text and have no format. */
export const ISO_TYPES: ReadonlyMap<number, string> = new Map([
  [ISO_DATE, 'DATE'],
  [ISO_DATE_TIME, 'DATE_TIME'],
  [ISO_TIME, 'TIME'],
])

const DAY_MS = 86_400_000
/** Day 0 of Google's dates. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** Days from day 0 to day 0 of workbooks that count from 1904. */
const DAYS_TO_1904 = 1_462
/** Excel's 29 February 1900, a day that never was. Days before it have numbers that are one too low. */
const PHANTOM_DAY = 60

/** A number of a workbook as the same date in Google's day numbers. The day that never was is 1 March. */
export function fromFileDate(serial: number, countsFrom1904: boolean): number {
  if (countsFrom1904) return serial + DAYS_TO_1904
  return serial < PHANTOM_DAY + 1 ? serial + 1 : serial
}

/** The reverse. Excel shows days before 1900 as #####. */
export function toFileDate(serial: number, countsFrom1904: boolean): number {
  if (countsFrom1904) return serial - DAYS_TO_1904
  return serial < PHANTOM_DAY + 1 ? serial - 1 : serial
}

/** The number of a cell; null if it is none. */
export function cellNumber(
  text: string,
  style: number,
  styles: Pick<CellStyles, 'isDate'>,
  countsFrom1904: boolean,
): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) return null
  return styles.isDate(style) ? fromFileDate(number, countsFrom1904) : number
}

/** An error as the text that flags it; one that Google does not know is #ERROR!. */
export function errorText(text: string): CellValue {
  if (isSpreadsheetError(text)) return text
  return text === '#GETTING_DATA' || text === '#BUSY!' ? LOADING[0] : '#ERROR!'
}

const ISO = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:T?(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?(?:Z|[+-]\d\d:\d\d)?$/

/** A date, a time, or both in ISO 8601, as a day number. Null if it is none. */
export function isoDate(text: string): { serial: number; style: number } | null {
  const [matched, year, month, day, hour, minute, second = '0'] = ISO.exec(text.trim()) ?? []
  if (!matched) return null
  const time = hour === undefined ? 0 : (Number(hour) * 3600 + Number(minute) * 60 + Number(second)) / 86_400
  if (year === undefined) return { serial: time, style: ISO_TIME }
  const days = (Date.UTC(Number(year), Number(month) - 1, Number(day)) - EPOCH_MS) / DAY_MS
  return { serial: days + time, style: hour === undefined ? ISO_DATE : ISO_DATE_TIME }
}
