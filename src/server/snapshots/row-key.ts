import type { CellValue, Row } from '../../contract/tables.ts'
import type { TableFormats } from './column-format.ts'
import { paddedSku, plainSku } from './sku.ts'

/** A column of a key, and the column of the copy whose number format it has. */
type KeyColumn = { column: number; formatOf: number }

/**
 * Returns the key of a row by the rule of SKUs: trimmed texts in Unicode form NFC; numbers as their format shows them. Null: all cells of
 * the key are blank. Undefined: the row is blank.
 */
export function keyReader(columns: readonly KeyColumn[], formats: TableFormats) {
  const readers = columns.map(({ column, formatOf }) => {
    const { format } = formats.of(formatOf)
    return (row: Row) => partOf(row[column] ?? null, { format, runs: null })
  })
  return (row: Row): string | null | undefined => {
    if (row.length === 0) return undefined
    const parts = readers.map((read) => read(row))
    return parts.every((part) => part === '') ? null : JSON.stringify(parts)
  }
}

function partOf(cell: CellValue, column: Parameters<typeof paddedSku>[1]): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return paddedSku(JSON.stringify(cell), column, 1) ?? String(cell)
  return plainSku(String(cell))
}

/** A key as people write it. */
export const keyText = (key: string): string => {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) ? parts.join(' / ') : key
}
