import type { TableFormats } from '../../../snapshots/column-format.ts'
import { paddedSku, padsSkus, plainSku } from '../../../snapshots/sku.ts'
import { matchedSku, plainMappings } from '../rules/skus.ts'
import { cellEnd, cellStart, isEmptyCell } from './json-row.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
const LAST_OF_ASCII = 0x7e

/** A SKU as the bytes of a JSON text without its quotes, from `start` up to, not including, `end`; empty: the row has none. */
export type SkuBytes = { bytes: Uint8Array; start: number; end: number }

/** Returns a reader of a source's SKUs (see snapshots/sku.ts). The reader reuses the object that it returns. */
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
  const mappings = new Map(Object.entries(plainMappings(sku_mappings)))
  const found: SkuBytes = { bytes: Buffer.alloc(0), start: 0, end: 0 }
  const none = () => Object.assign(found, { start: 0, end: 0 })
  return (bytes, start, row_no) => {
    const from = cellStart(bytes, start, sku_column)
    if (from < 0) return none()
    const to = cellEnd(bytes, from)
    if (isEmptyCell(bytes, from, to)) return none()
    const isText = bytes[from] === QUOTE
    found.bytes = bytes
    found.start = isText ? from + 1 : from
    found.end = isText ? to - 1 : to
    // Nearly all SKUs are compared as the bytes they are stored as.
    if (mappings.size === 0 && (isText ? isPlain(found) : !isPadding)) return found
    const cell = bytes.toString('utf8', found.start, found.end)
    const sku = isText ? plainSku(String(JSON.parse(`"${cell}"`))) : cell
    const padded = isPadding && !isText ? paddedSku(cell, column, row_no) : null
    found.bytes = skuBytes(matchedSku(mappings, { sku, padded }))
    found.start = 0
    found.end = found.bytes.length
    return found
  }
}

export const skuBytes = (sku: string): Buffer => Buffer.from(JSON.stringify(sku).slice(1, -1))

/** Whether trimming, Unicode form and JSON escapes leave the bytes as they are. */
function isPlain({ bytes, start, end }: SkuBytes): boolean {
  if ((bytes[start] ?? 0) <= SPACE || (bytes[end - 1] ?? 0) <= SPACE) return false
  for (let n = start; n < end; n += 1) {
    const byte = bytes[n] ?? 0
    if (byte === BACKSLASH || byte > LAST_OF_ASCII) return false
  }
  return true
}
