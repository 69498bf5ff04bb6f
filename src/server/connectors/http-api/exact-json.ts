import { withoutEnd } from '../without-end.ts'

// A number that begins after one of these and has many digits or an exponent: text within quotes mostly does not look like it.
const MAY_BE_ROUNDED = /(?:^|[:,[\s])-?(?:[\d.]{16,}|[\d.]+[eE])/

/**
 * The JSON text as a value in which numbers that a double would round, large integers and long decimals, are text as they were
 * written. Throws SyntaxError. A key `__proto__` is a key like any other.
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value
    return isExact(value, context.source) ? value : context.source
  })
}

/** Whether a number says just what its text says. */
function isExact(value: number, source: string): boolean {
  if (source.length <= 15 && !/e/i.test(source)) return true
  if (!Number.isFinite(value)) return false
  const [was, is] = [decimal(source), decimal(String(value))]
  return was.digits === is.digits && was.exponent === is.exponent
}

/** Digits without zeros at either end, and the power of ten that the first of them stands for; sign left out. */
function decimal(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = `${whole}${fraction}`
  const zeros = /^0*/.exec(all)?.[0].length ?? 0
  const digits = withoutEnd(all.slice(zeros), '0')
  return { digits, exponent: digits === '' ? 0 : whole.length - zeros + Number(power) }
}
