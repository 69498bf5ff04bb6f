import { cellEnd, cellStart, isBlankCell } from './json-row.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BLANK = 0x20
const LAST_OF_ASCII = 0x7e

/** The bytes of a SKU as a JSON text without its quotes: from `start` up to, not including, `end`; as many as none where there is none. */
export type SkuBytes = { bytes: Uint8Array; start: number; end: number }

/**
 * A reader of the SKU of rows: the cell's text, trimmed, or the one that it is known by. What it returns is used again for the
 * next row.
 */
export function skuReader({
  sku_column,
  sku_mappings,
}: {
  sku_column: number
  sku_mappings: Record<string, string>
}): (bytes: Buffer, start: number) => SkuBytes {
  const known = new Map(Object.entries(sku_mappings))
  const found: SkuBytes = { bytes: Buffer.alloc(0), start: 0, end: 0 }
  const none = () => Object.assign(found, { start: 0, end: 0 })
  return (bytes, start) => {
    const from = cellStart(bytes, start, sku_column)
    if (from < 0) return none()
    const to = cellEnd(bytes, from)
    if (isBlankCell(bytes, from, to)) return none()
    const isText = bytes[from] === QUOTE
    found.bytes = bytes
    found.start = isText ? from + 1 : from
    found.end = isText ? to - 1 : to
    if (known.size === 0 && (!isText || isPlain(found))) return found
    const cell = bytes.toString('utf8', found.start, found.end)
    const text = isText ? String(JSON.parse(`"${cell}"`)).trim() : cell
    found.bytes = skuBytes(known.get(text) ?? text)
    found.start = 0
    found.end = found.bytes.length
    return found
  }
}

/** A SKU as its bytes. */
export const skuBytes = (sku: string): Buffer => Buffer.from(JSON.stringify(sku).slice(1, -1))

// Whether nothing is to be trimmed, however blanks are written.
function isPlain({ bytes, start, end }: SkuBytes): boolean {
  const [first = 0, last = 0] = [bytes[start], bytes[end - 1]]
  if (first <= BLANK || first > LAST_OF_ASCII || last <= BLANK || last > LAST_OF_ASCII) return false
  for (let n = start; n < end; n += 1) if (bytes[n] === BACKSLASH) return false
  return true
}
