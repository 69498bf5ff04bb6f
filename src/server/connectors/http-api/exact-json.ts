import { withoutEnd } from '../without-end.ts'

// Finds numbers with many digits or an exponent; rarely matches within strings.
const MAY_BE_ROUNDED = /(?:^|[:,[\s])-?(?:[\d.]{16,}|[\d.]+[eE])/

/**
 * Parses JSON; numbers that a double would round (large integers, long decimals) become text. Throws SyntaxError.
 * `__proto__` is an ordinary key.
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || context?.source === undefined) return value
    return isExact(value, context.source) ? value : context.source
  })
}

/** Whether a number represents its text exactly. */
function isExact(value: number, source: string): boolean {
  if (source.length <= 15 && !/e/i.test(source)) return true
  if (!Number.isFinite(value)) return false
  const [was, is] = [decimal(source), decimal(String(value))]
  return was.digits === is.digits && was.exponent === is.exponent
}

/** Digits without leading and trailing zeros, and the exponent of the first one; without the sign. */
function decimal(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = `${whole}${fraction}`
  const zeros = /^0*/.exec(all)?.[0].length ?? 0
  const digits = withoutEnd(all.slice(zeros), '0')
  return { digits, exponent: digits === '' ? 0 : whole.length - zeros + Number(power) }
}
