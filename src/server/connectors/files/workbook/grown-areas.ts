import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { type CellArea, overlaps } from './cell-area.ts'
import type { TablePart } from './open-xml-package.ts'
import { refusal } from './refusal.ts'

/** An area with the rows that fill it, if they begin in it or right below it; null if it stays as it is. */
export function grownArea(area: CellArea, written: CellArea): CellArea | null {
  const begins = written.top >= area.top && written.top <= area.bottom + 1
  const isBeside = written.left > area.right || written.right < area.left
  return begins && !isBeside && written.bottom > area.bottom ? { ...area, bottom: written.bottom } : null
}

/** The new areas of the tables of a tab that grow. Throws OriginFailure if one cannot. */
export function grownTables(tables: readonly TablePart[], written: CellArea): Map<TablePart, CellArea> {
  const grown = new Map<TablePart, CellArea>()
  for (const table of tables) {
    const area = grownArea(table.area, written)
    const totals = { ...table.area, top: table.area.bottom }
    if (table.hasTotals && overlaps(totals, written))
      throw refusal(fileMessages.totals_row(table.name, table.area.bottom + 1))
    if (area === null) continue
    const other = tables.find((one) => one !== table && overlaps(one.area, area))
    if (other) throw refusal(fileMessages.table_in_the_way(table.name, other.name))
    grown.set(table, area)
  }
  return grown
}
