/** Maximum nesting depth of a reply; libraries and stored rows support less. */
const MAX_DEPTH = 200

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether JSON text is nested too deeply. Checked before parsing, which would take seconds then. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (at += 1; at < text.length; at += 1) {
        const inner = text.charCodeAt(at)
        if (inner === QUOTE) break
        if (inner === BACKSLASH) at += 1
      }
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}

/**
 * Position at which text stops being JSON; its length if it only ends early. `isNextValue`: a value is complete and
 * another follows on a new line.
 */
export type JsonFault = { at: number; isNextValue: boolean }

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma'

/** Finds the fault in text that JSON.parse refused. */
export function findFault(text: string): JsonFault {
  const open: string[] = []
  let expected: Expected = 'value'
  for (let at = 0; ; ) {
    const start = skip(text, at, /[ \t\n\r]*/y)
    const sign = text[start]
    if (sign === undefined) return { at: text.length, isNextValue: false }
    if (expected === 'comma' && open.length === 0)
      return { at: start, isNextValue: /[[{]/.test(sign) && text.slice(at, start).includes('\n') }
    const isEnd = sign === (open.at(-1) === '{' ? '}' : ']') && open.length > 0
    if (isEnd && expected !== 'value' && expected !== 'key' && expected !== 'colon') {
      open.pop()
      expected = 'comma'
      at = start + 1
    } else if (expected === 'comma' && sign === ',') {
      expected = open.at(-1) === '{' ? 'key' : 'value'
      at = start + 1
    } else if (expected === 'colon' && sign === ':') {
      expected = 'value'
      at = start + 1
    } else if (expected.startsWith('value') && (sign === '[' || sign === '{')) {
      open.push(sign)
      expected = sign === '{' ? 'key or end' : 'value or end'
      at = start + 1
    } else {
      const end = expected.startsWith('key') || sign === '"' ? endOfText(text, start) : endOfWord(text, start)
      if (expected === 'colon' || expected === 'comma' || end < 0) return { at: start, isNextValue: false }
      if (end >= text.length && open.length > 0) return { at: text.length, isNextValue: false }
      expected = expected.startsWith('key') ? 'colon' : 'comma'
      at = end
    }
  }
}

/** Position after a string's closing quote, or the length if it is unclosed; -1 if no string begins here. */
function endOfText(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < 0x20) return -1
    if (code === BACKSLASH) at += 1
  }
  return text.length
}

/** Position after a number, true, false or null; the length if the text ends within it; -1 if there is none. */
function endOfWord(text: string, start: number): number {
  const end = skip(text, start, /[^\s,:[\]{}"]*/y)
  const word = text.slice(start, end)
  if (/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(word)) return end
  const isCut =
    end === text.length &&
    (['true', 'false', 'null'].some((whole) => whole.startsWith(word)) ||
      /^-?\d*(\.\d*)?([eE][+-]?)?$/.test(word))
  return isCut ? text.length : -1
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}
