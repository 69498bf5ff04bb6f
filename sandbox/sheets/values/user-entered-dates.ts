import type { NumberFormat } from '../model/cell-format.ts'
import type { Entered } from './entered.ts'

const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const MS_PER_DAY = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)

interface Day {
  readonly serial: number
  readonly pattern: string
}

interface Clock {
  /** Fraction of a day; 1 or more for durations. */
  readonly fraction: number
  readonly pattern: string
}

/** Parses an en_US date, time, duration or date with time and returns its format; null for other text. */
export function parseMoment(text: string, now: Date): Entered | null {
  const day = parseDay(text, now)
  if (day) return entered(day.serial, 'DATE', day.pattern)
  const clock = parseClock(text)
  if (clock) return entered(clock.fraction, 'TIME', clock.pattern)
  const parts = /^(.*\d),?(?:\s+|T)(\d{1,2}:.*)$/.exec(text)
  const date = parts && parseDay(parts[1] ?? '', now)
  const time = parts && parseClock(parts[2] ?? '')
  if (!date || !time || time.fraction >= 1) return null
  return entered(date.serial + time.fraction, 'DATE_TIME', `${date.pattern} ${time.pattern}`)
}

function entered(content: number, type: NumberFormat['type'], pattern: string): Entered {
  return { content, format: { type, pattern } }
}

function parseDay(text: string, now: Date): Day | null {
  const thisYear = String(now.getUTCFullYear())
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text)
  if (iso) {
    const [, year = '', mark = '', month = '', date = ''] = iso
    return day(year, month, date, `yyyy${mark}${wide('m', month)}${mark}${wide('d', date)}`)
  }
  const us = /^(\d{1,2})([-/])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(text)
  if (us) {
    const [, month = '', mark = '', date = '', year] = us
    const pattern = `${wide('m', month)}${mark}${wide('d', date)}`
    if (year === undefined) return day(thisYear, month, date, pattern)
    return day(fullYear(year), month, date, `${pattern}${mark}${year.length === 2 ? 'yy' : 'yyyy'}`)
  }
  const monthFirst = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:,?\s+(\d{4}))?$/.exec(text)
  if (monthFirst) {
    const [, name = '', date = '', year] = monthFirst
    const pattern = `${monthPattern(name)} ${wide('d', date)}${year ? ', yyyy' : ''}`
    return day(year ?? thisYear, monthNumber(name), date, pattern)
  }
  const dayFirst = /^(\d{1,2})([-\s])([A-Za-z]{3,9})(?:\2(\d{4}|\d{2}))?$/.exec(text)
  if (dayFirst) {
    const [, date = '', mark = '', name = '', year] = dayFirst
    const pattern = `${wide('d', date)}${mark}${monthPattern(name)}`
    if (year === undefined) return day(thisYear, monthNumber(name), date, pattern)
    return day(
      fullYear(year),
      monthNumber(name),
      date,
      `${pattern}${mark}${year.length === 2 ? 'yy' : 'yyyy'}`,
    )
  }
  const monthOnly = /^([A-Za-z]{3,9})\s+(\d{4})$/.exec(text)
  if (!monthOnly) return null
  const [, name = '', year = ''] = monthOnly
  return day(year, monthNumber(name), '1', `${monthPattern(name)} yyyy`)
}

function parseClock(text: string): Clock | null {
  const match = /^(\d{1,5}):(\d{2})(?::(\d{2})(\.\d{1,3})?)?(?:\s*([ap])m?)?$/i.exec(text)
  if (!match) return null
  const [, hoursText = '', minutes = '', seconds, parts, half] = match
  const hours = Number(hoursText)
  if (Number(minutes) > 59 || Number(seconds ?? 0) > 59) return null
  if (half && (hours > 12 || hours === 0)) return null
  const hour = half ? (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hours
  const fraction = (hour * 3600 + Number(minutes) * 60 + Number(`${seconds ?? 0}${parts ?? ''}`)) / 86_400
  const hourPattern = hours > 23 ? '[h]' : wide('h', hoursText.slice(0, 2))
  const tail = `${seconds ? ':ss' : ''}${parts ? `.${'0'.repeat(parts.length - 1)}` : ''}${half ? ' am/pm' : ''}`
  return { fraction, pattern: `${hourPattern}:mm${tail}` }
}

function day(year: string, month: string, date: string, pattern: string): Day | null {
  const at = new Date(EPOCH)
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  const real = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(date)
  return real ? { serial: Math.round((at.getTime() - EPOCH) / MS_PER_DAY), pattern } : null
}

/** 30 to 99 are 1930 to 1999. */
function fullYear(year: string): string {
  if (year.length > 2) return year
  return `${Number(year) < 30 ? 20 : 19}${year}`
}

function monthNumber(name: string): string {
  const lower = name.toLowerCase()
  return String(MONTH_NAMES.findIndex((month) => month === lower || month.slice(0, 3) === lower) + 1)
}

function monthPattern(name: string): string {
  return name.length === 3 ? 'mmm' : 'mmmm'
}

function wide(letter: string, digits: string): string {
  return digits.length > 1 ? letter.repeat(2) : letter
}
