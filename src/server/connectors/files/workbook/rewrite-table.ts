import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { cellAddress } from '../../google-sheets/a1.ts'
import { areaText, type CellArea } from './cell-area.ts'
import type { TablePart } from './open-xml-package.ts'
import { refusal } from './refusal.ts'
import { rewritePart } from './rewrite-part.ts'
import type { PatchRow, TabChange } from './tab-change.ts'
import { attribute, escapeText, unescapeText, withAttribute } from './xml-text.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Header cells of tables, by row and then column, both counted from 0. */
export type WrittenHeaders = Map<number, Map<number, CellValue>>

/** Passes on the rows of a change and notes what they write into some rows. */
export async function* notingHeaders(
  rows: TabChange['rows'],
  headers: WrittenHeaders,
): AsyncGenerator<readonly PatchRow[]> {
  for await (const batch of rows) {
    for (const { row, cells } of batch) {
      const header = headers.get(row - 1)
      if (header) for (const { column, value } of cells) if (value !== undefined) header.set(column, value)
    }
    yield batch
  }
}

/**
 * A table with a new area, and with its columns named after their header cells: Excel repairs files in which they differ. Null if
 * nothing changes. Throws OriginFailure for headers that a table cannot have.
 */
export async function rewriteTable(
  zip: ZipArchive,
  table: TablePart,
  { grown, headers }: { grown: CellArea | undefined; headers: WrittenHeaders },
): Promise<string | null> {
  const written = table.hasHeader ? headers.get(table.area.top) : undefined
  const names = new Set<string>()
  let column = table.area.left - 1
  let isChanged = grown !== undefined
  const xml = await rewritePart(zip.source(table.part), {
    open(name, tag, depth) {
      if (name === 'tableColumn') {
        column += 1
        const given = written?.has(column) ? written.get(column) : unescapeText(attribute(tag, 'name') ?? '')
        refuseHeader(table, column, given ?? null, names)
        if (given === unescapeText(attribute(tag, 'name') ?? '')) return tag
        isChanged = true
        return nameChanged(tag, String(given))
      }
      const isArea = (depth === 0 && name === 'table') || (depth === 1 && name === 'autoFilter')
      return isArea && grown ? withAttribute(tag, 'ref', areaText(grown)) : tag
    },
  })
  return isChanged ? xml : null
}

function refuseHeader(table: TablePart, column: number, value: CellValue, names: Set<string>): void {
  const key = typeof value === 'string' ? value.toLowerCase() : ''
  if (key === '' || names.has(key))
    throw refusal(fileMessages.table_header_invalid(table.name, cellAddress(table.area.top, column)))
  names.add(key)
}

const nameChanged = (tag: string, name: string) =>
  withAttribute(tag, 'name', escapeText(name).replaceAll('\n', '_x000a_'))
