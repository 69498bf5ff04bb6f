import { isUtf8 } from 'node:buffer'

const QUOTE = 0x22
const SLASH = 0x2f
const HASH = 0x23
const COMMA = 0x2c
const OPEN = 0x5b
const BACKSLASH = 0x5c
const CLOSE = 0x5d
const LETTER_U = 0x75
/** "Load": the first letters of "Loading…". */
const LOAD = [0x4c, 0x6f, 0x61, 0x64]

/** Kinds of bytes: letters of true and false (null is not plain), characters of a number without exponent. */
const WORD = 1
const NUMBER = 2
const SCALAR = new Uint8Array(256)
for (const byte of Buffer.from('trufalse')) SCALAR[byte] = WORD
for (const byte of Buffer.from('0123456789-.')) SCALAR[byte] = NUMBER

/** A row whose bytes can be stored without parsing: its number of columns, and of cells with a value. */
export type PlainRow = { columns: number; filled: number }

/**
 * Checks in one pass over the bytes of a JSON row whether the row is plain, in a tenth of the time of parsing it. Null if it must be
 * parsed: it has a spreadsheet error, a loading cell, null, a blank last cell, invalid UTF-8, or JSON with two spellings (\u escapes,
 * \/, exponents), or it is no row.
 */
export function plainRow(row: Uint8Array): PlainRow | null {
  const last = row.length - 1
  if (row[0] !== OPEN || row[last] !== CLOSE) return null
  if (last === 1) return { columns: 0, filled: 0 }
  let at = 1
  let filled = 0
  for (let columns = 1; ; columns += 1) {
    const isText = row[at] === QUOTE
    const end = isText ? endOfText(row, at + 1) : endOfScalar(row, at)
    const isBlank = isText && end - at === 2
    if (!isBlank) filled += 1
    if (end === last) return isBlank || !isUtf8(row) ? null : { columns, filled }
    if (end < 0 || row[end] !== COMMA) return null
    at = end + 1
  }
}

/** Index after the closing quote of a text; -1: the text is not plain. */
function endOfText(row: Uint8Array, start: number): number {
  const first = row[start]
  if (first === HASH || (first === LOAD[0] && LOAD.every((byte, n) => row[start + n] === byte))) return -1
  for (let at = start; at < row.length; at += 1) {
    const byte = row[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte < 0x20) return -1
    if (byte === BACKSLASH) {
      const escaped = row[at + 1]
      if (escaped === LETTER_U || escaped === SLASH) return -1
      at += 1
    }
  }
  return -1
}

function endOfScalar(row: Uint8Array, start: number): number {
  const kind = SCALAR[row[start] ?? 0]
  if (kind === 0) return -1
  let at = start + 1
  while (SCALAR[row[at] ?? 0] === kind) at += 1
  return at
}
