import type { NumberFormat } from '../model/cell-format.ts'
import { CellError, Formula, isErrorText } from '../model/content.ts'
import type { Entered } from './entered.ts'
import { parseMoment } from './user-entered-dates.ts'

// Longest possible number or date. Longer text is not parsed.
const MAX_LENGTH = 100

const NUMBER = String.raw`(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)`
const PLAIN = new RegExp(`^([-+]?)(${NUMBER})$`)
const BRACKETED = new RegExp(`^\\((${NUMBER})\\)$`)
const PERCENT = new RegExp(`^([-+]?)(${NUMBER})\\s?%$`)
const CURRENCY = new RegExp(`^([-+]?)([$€£¥])\\s?([-+]?)(${NUMBER})$`)
const SCIENTIFIC = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+))[eE]([-+]?\d{1,3})$/

/** Parses text as if a user entered it in an en_US book. `now` (UTC) is the default year of dates. */
export function userEntered(text: string, now: Date): Entered {
  if (text === '') return { content: null }
  if (text.startsWith("'")) return { content: text.slice(1) || null }
  if (text.startsWith('=') && text.length > 1) return { content: new Formula(text) }
  const trimmed = text.trim()
  if (isErrorText(trimmed) && trimmed.startsWith('#')) return { content: new CellError(trimmed) }
  if (/^(?:true|false)$/i.test(trimmed)) return { content: trimmed.toLowerCase() === 'true' }
  if (trimmed.length > MAX_LENGTH) return { content: text }
  return number(trimmed) ?? parseMoment(trimmed, now) ?? { content: text }
}

function number(text: string): Entered | null {
  const plain = PLAIN.exec(text)
  if (plain) return numeric(signed(plain[1], plain[2]), plain[2]?.includes(',') ? grouped(text) : undefined)
  const bracketed = BRACKETED.exec(text)
  if (bracketed)
    return numeric(-amount(bracketed[1]), bracketed[1]?.includes(',') ? grouped(text) : undefined)
  const percent = PERCENT.exec(text)
  if (percent) {
    // Parsed as a decimal, because 1.1 / 100 is not the closest number to 0.011.
    const value = Number(`${signed(percent[1], percent[2])}e-2`)
    return numeric(value, { type: 'PERCENT', pattern: text.includes('.') ? '0.00%' : '0%' })
  }
  const currency = CURRENCY.exec(text)
  if (currency) {
    const [, before, symbol = '$', after, digits] = currency
    if (before && after) return null
    const sign = symbol === '$' ? '"$"' : `[$${symbol}]`
    const pattern = `${sign}#,##0${digits?.includes('.') ? '.00' : ''}`
    return numeric(signed(before || after, digits), { type: 'CURRENCY', pattern })
  }
  const power = SCIENTIFIC.exec(text)
  return power ? numeric(Number(text), { type: 'SCIENTIFIC', pattern: '0.00E+00' }) : null
}

function numeric(value: number, format?: NumberFormat): Entered | null {
  return Number.isFinite(value) ? { content: value, ...(format && { format }) } : null
}

function grouped(text: string): NumberFormat {
  return { type: 'NUMBER', pattern: text.includes('.') ? '#,##0.00' : '#,##0' }
}

function signed(sign: string | undefined, digits: string | undefined): number {
  return sign === '-' ? -amount(digits) : amount(digits)
}

function amount(digits = ''): number {
  return Number(digits.replaceAll(',', ''))
}
