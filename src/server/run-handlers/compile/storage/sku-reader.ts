import type { TableFormats } from '../../../snapshots/column-format.ts'
import { paddedSku, padsSkus } from '../rules/skus.ts'
import { cellEnd, cellStart, isBlankCell } from './json-row.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BLANK = 0x20
const LAST_OF_ASCII = 0x7e

/** The bytes of a SKU as a JSON text without its quotes: from `start` up to, not including, `end`; as many as none where there is none. */
export type SkuBytes = { bytes: Uint8Array; start: number; end: number }

/**
 * A reader of the SKU of rows: the cell's text, trimmed, for a number that its format pads with zeros what that shows, or the one
 * that it is known by. What it returns is used again for the next row.
 */
export function skuReader({
  sku_column,
  sku_mappings,
  formats,
}: {
  sku_column: number
  sku_mappings: Record<string, string>
  formats: TableFormats
}): (bytes: Buffer, start: number, row_no: number) => SkuBytes {
  const column = formats.of(sku_column)
  const isPadding = padsSkus(column)
  const known = new Map(Object.entries(plainMappings(sku_mappings)))
  const found: SkuBytes = { bytes: Buffer.alloc(0), start: 0, end: 0 }
  const none = () => Object.assign(found, { start: 0, end: 0 })
  return (bytes, start, row_no) => {
    const from = cellStart(bytes, start, sku_column)
    if (from < 0) return none()
    const to = cellEnd(bytes, from)
    if (isBlankCell(bytes, from, to)) return none()
    const isText = bytes[from] === QUOTE
    found.bytes = bytes
    found.start = isText ? from + 1 : from
    found.end = isText ? to - 1 : to
    if (known.size === 0 && (isText ? isPlain(found) : !isPadding)) return found
    const cell = bytes.toString('utf8', found.start, found.end)
    const text = isText ? plainSku(String(JSON.parse(`"${cell}"`))) : cell
    const padded = isPadding && !isText ? paddedSku(cell, column, row_no) : null
    // A mapping may be from before numbers counted as they are shown.
    found.bytes = skuBytes(
      (padded === null ? undefined : known.get(padded)) ?? known.get(text) ?? padded ?? text,
    )
    found.start = 0
    found.end = found.bytes.length
    return found
  }
}

/** A SKU as it is compared: in one form of Unicode (NFC), without blanks around it. */
export const plainSku = (sku: string): string => sku.normalize('NFC').trim()

/** SKUs that are known by another one, as they are compared. */
export const plainMappings = (sku_mappings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(sku_mappings).map(([sku, known]) => [plainSku(sku), plainSku(known)]))

/** A SKU as its bytes. */
export const skuBytes = (sku: string): Buffer => Buffer.from(JSON.stringify(sku).slice(1, -1))

// Whether it compares as it is, however blanks and letters are written.
function isPlain({ bytes, start, end }: SkuBytes): boolean {
  if ((bytes[start] ?? 0) <= BLANK || (bytes[end - 1] ?? 0) <= BLANK) return false
  for (let n = start; n < end; n += 1) {
    const byte = bytes[n] ?? 0
    if (byte === BACKSLASH || byte > LAST_OF_ASCII) return false
  }
  return true
}
