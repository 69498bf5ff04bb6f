import { z } from 'zod'
import { GoogleError, invalid } from '../../google-error.ts'
import type { Block, BookDraft, SheetDraft } from '../model/book.ts'
import { isJson } from '../model/json.ts'
import { type Found, rangeText, resolveRange } from '../ranges/resolve.ts'
import { grow, insertRows } from '../requests/dimension-requests.ts'
import { camelKeys, listOf } from '../requests/parse-json.ts'
import { checkEditable, checkTabEditable } from '../requests/protection.ts'
import type { Dimension } from '../values/read.ts'
import { lastTable } from '../values/table.ts'
import { badJson, parseValueRange, unknownName, type Written } from '../values/value-range.ts'
import { extent, type Touched, updateReply, type ValueInput, writeValues } from '../values/write.ts'
import type { Context } from './context.ts'

/** One written range: its part of the reply, and the block to read back. */
export interface Update {
  readonly reply: ReturnType<typeof updateReply>
  readonly sheetId: number
  /** Requested range. */
  readonly asked: Block
  readonly dimension: Dimension
  readonly cells: number
}

const INPUTS = ['RAW', 'USER_ENTERED'] as const

const UpdateArgs = z.object({ range: z.string(), input: z.string(), body: z.unknown() })

/** Writes one ValueRange. */
export function updateValues(draft: BookDraft, args: unknown, context: Context): Update {
  const { range, input, body } = UpdateArgs.parse(args)
  const written = parseValueRange(body, 'data')
  const found = resolveRange(draft, range)
  if (context.overflow === 'grow') growFor(draft, found, written)
  return updateOf(writeValues(draft, found, written, { input: valueInput(input), context }))
}

export interface BatchedUpdates {
  readonly updates: readonly Update[]
  readonly totals: Readonly<Record<string, number>>
}

const BATCH_FIELDS = new Set([
  'valueInputOption',
  'data',
  'includeValuesInResponse',
  'responseValueRenderOption',
  'responseDateTimeRenderOption',
])

/** Writes several ValueRanges atomically. */
export function batchUpdateValues(draft: BookDraft, body: unknown, context: Context): BatchedUpdates {
  const { valueInputOption, data } = parseBatch(body)
  const written = data.map((item, index) => parseValueRange(item, `data[${index}]`))
  const how = { input: valueInput(valueInputOption), context }
  const touched = written.map((values, index) =>
    prefixed(`Invalid data[${index}]: `, () => {
      const found = resolveRange(draft, values.range ?? '')
      if (context.overflow === 'grow') growFor(draft, found, values)
      return writeValues(draft, found, values, how)
    }),
  )
  return { updates: touched.map(updateOf), totals: totalsOf(touched) }
}

const ClearArgs = z.object({ ranges: z.array(z.string()) })

/** Clears values and keeps formats. Returns the cleared ranges in A1 notation. */
export function clearValues(draft: BookDraft, args: unknown, context: Context): string[] {
  const found = ClearArgs.parse(args).ranges.map((range) => resolveRange(draft, range))
  for (const { sheet, block } of found) {
    checkEditable(draft, sheet, block, context)
    const endRow = Math.min(block.endRow, sheet.grid.rows.length)
    for (let row = block.startRow; row < endRow; row++) {
      const endColumn = Math.min(block.endColumn, sheet.grid.rows[row]?.cells.length ?? 0)
      for (let column = block.startColumn; column < endColumn; column++) sheet.grid.put(row, column, null)
    }
  }
  return found.map(({ sheet, block }) => rangeText(sheet, block))
}

const AppendArgs = UpdateArgs.extend({ insertRows: z.boolean() })

/** Appends a ValueRange after the last table in a range and extends the grid. */
export function appendValues(
  draft: BookDraft,
  args: unknown,
  context: Context,
): Update & { tableRange?: string } {
  const { range, input, body, insertRows: insert } = AppendArgs.parse(args)
  const written = parseValueRange(body, 'data')
  const { sheet, block } = resolveRange(draft, range)
  const table = lastTable(sheet.grid, block)
  const startRow = table?.endRow ?? block.startRow
  const startColumn = table?.startColumn ?? block.startColumn
  const at = { startRow, endRow: startRow + 1, startColumn, endColumn: startColumn + 1 }
  const found: Found<SheetDraft> = { sheet, block: at, single: true }
  checkTabEditable(draft, sheet, context)
  makeRoom(draft, found, written, insert)
  const update = updateOf(writeValues(draft, found, written, { input: valueInput(input), context }))
  return { ...update, ...(table && { tableRange: rangeText(sheet, table) }) }
}

function makeRoom(
  draft: BookDraft,
  { sheet, block }: Found<SheetDraft>,
  written: Written,
  insert: boolean,
): void {
  const { startRow, startColumn } = block
  const { endRow } = extent(written.values, startRow, startColumn, written.majorDimension)
  if (insert && endRow > startRow) insertRows(draft, sheet, startRow, endRow - startRow)
  growFor(draft, { sheet, block, single: true }, written)
}

/** Extends the grid for values of unbounded ranges. Throws 400 beyond the cell limit. */
function growFor(draft: BookDraft, { sheet, block, single }: Found<SheetDraft>, written: Written): void {
  if (!single) return
  const { endRow, endColumn } = extent(
    written.values,
    block.startRow,
    block.startColumn,
    written.majorDimension,
  )
  if (endRow > sheet.grid.rowCount) grow(draft, sheet, 'ROWS', endRow - sheet.grid.rowCount)
  if (endColumn > sheet.grid.columnCount) grow(draft, sheet, 'COLUMNS', endColumn - sheet.grid.columnCount)
}

/** Parses a ValueInputOption. Throws 400. */
function valueInput(input: unknown): ValueInput {
  const known = INPUTS.find((option) => option === input)
  if (known) return known
  if (input === undefined || input === null || input === '' || input === 'INPUT_VALUE_OPTION_UNSPECIFIED') {
    throw invalid("'valueInputOption' is required but not specified")
  }
  throw badJson('value_input_option', 'google.apps.sheets.v4.ValueInputOption', input)
}

function parseBatch(body: unknown): { valueInputOption: unknown; data: unknown[] } {
  if (!isJson(body ?? {})) throw badJson('', 'google.apps.sheets.v4.BatchUpdateValuesRequest', body)
  const json = camelKeys(isJson(body) ? body : {})
  const unknown = Object.keys(json).find((key) => !BATCH_FIELDS.has(key))
  if (unknown !== undefined) throw unknownName(unknown, '')
  const { valueInputOption, data } = json
  return { valueInputOption, data: listOf(data ?? []) }
}

function updateOf(touched: Touched): Update {
  const { sheet, asked, dimension, cells } = touched
  return { reply: updateReply(touched), sheetId: sheet.id, asked, dimension, cells }
}

/** Totals in which rows and columns of several updates count once. */
function totalsOf(touched: readonly Touched[]): Record<string, number> {
  const totals = {
    totalUpdatedRows: distinct(touched, 'rows'),
    totalUpdatedColumns: distinct(touched, 'columns'),
    totalUpdatedCells: touched.reduce((sum, { cells }) => sum + cells, 0),
    totalUpdatedSheets: new Set(touched.filter(({ cells }) => cells > 0).map(({ sheet }) => sheet)).size,
  }
  return Object.fromEntries(Object.entries(totals).filter(([, count]) => count > 0))
}

function distinct(touched: readonly Touched[], which: 'rows' | 'columns'): number {
  const bySheet = new Map<SheetDraft, Set<number>>()
  for (const { sheet, [which]: numbers } of touched) {
    const seen = bySheet.get(sheet)
    if (!seen) bySheet.set(sheet, new Set(numbers))
    else for (const number of numbers) seen.add(number)
  }
  return [...bySheet.values()].reduce((sum, { size }) => sum + size, 0)
}

function prefixed<T>(prefix: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof GoogleError)
      throw new GoogleError(error.code, error.status, prefix + error.message, error.details)
    throw error
  }
}
