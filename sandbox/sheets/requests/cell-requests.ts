import { invalid, notInSandbox } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import { type Mask, merge } from '../fields/mask.ts'
import { moved } from '../formula/shift.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import { type CellFormat, styled } from '../model/cell-format.ts'
import { withTwinColors } from '../model/color.ts'
import { type Content, Formula } from '../model/content.ts'
import { isJson, type Json } from '../model/json.ts'
import { filteredRows } from '../values/filtered-rows.ts'
import { MAX_CHARACTERS, TOO_LONG } from '../values/write.ts'
import { grow } from './dimension-requests.ts'
import { checkEditable } from './protection.ts'
import type { CellData, ExtendedValue, RequestArgs } from './shapes.ts'
import { blockOf, checkCoordinate, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

const CELL_FIELDS = ['userEnteredValue', 'userEnteredFormat', 'note', 'dataValidation']
const OTHER_CELL_FIELDS = ['textFormatRuns', 'pivotTable', 'dataSourceTable', 'hyperlink', 'chipRuns']

export function updateCells(
  draft: BookDraft,
  { rows, fields, start, range }: RequestArgs<'updateCells'>,
  context: Context,
) {
  const put = cellWriter(draft, fields)
  if (range) {
    const sheet = sheetOf(draft, range.sheetId)
    const { startRow, endRow, startColumn, endColumn } = blockOf(sheet, range)
    checkFits(rows, { startRow, endRow, startColumn, endColumn })
    checkEditable(draft, sheet, { startRow, endRow, startColumn, endColumn }, context)
    for (let row = startRow; row < endRow; row++) {
      const cells = rows[row - startRow]?.values
      const whole = Array.from({ length: endColumn - startColumn }, (_, x) => cells?.[x] ?? {})
      put(sheet, row, startColumn, whole)
    }
    return {}
  }
  if (!start) throw invalid('Must set either start or range.')
  const sheet = sheetOf(draft, start.sheetId)
  checkCoordinate(sheet, start)
  const { rowCount, columnCount } = sheet.grid
  const grid = {
    startRow: start.rowIndex,
    endRow: rowCount,
    startColumn: start.columnIndex,
    endColumn: columnCount,
  }
  const { endRow, endColumn } = checkFits(rows, grid)
  checkEditable(draft, sheet, { ...grid, endRow, endColumn }, context)
  for (const [y, { values }] of rows.entries()) put(sheet, start.rowIndex + y, start.columnIndex, values)
  return {}
}

/** Appends rows after the last row with content and extends the grid. */
export function appendCells(
  draft: BookDraft,
  { sheetId, rows, fields, tableId }: RequestArgs<'appendCells'>,
  context: Context,
) {
  if (tableId !== undefined) throw notInSandbox('a table')
  const sheet = sheetOf(draft, sheetId)
  const rowIndex = 1 + sheet.grid.rows.findLastIndex((row) => row?.cells.some((content) => content !== null))
  const missing = rowIndex + rows.length - sheet.grid.rowCount
  if (missing > 0) grow(draft, sheet, 'ROWS', missing)
  const start = { sheetId, rowIndex, columnIndex: 0 }
  return rows.length > 0 ? updateCells(draft, { rows, fields, start }, context) : {}
}

/** Without a rule, removes the validation. Rows hidden by the filter are skipped unless included. */
export function setDataValidation(
  draft: BookDraft,
  { range, rule, filteredRowsIncluded }: RequestArgs<'setDataValidation'>,
  context: Context,
) {
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  checkEditable(draft, sheet, block, context)
  const put = cellWriter(draft, 'dataValidation')
  const width = block.endColumn - block.startColumn
  const cells = new Array<CellData>(width).fill(rule ? { dataValidation: rule } : {})
  const left = filteredRowsIncluded ? new Set<number>() : filteredRows(draft, sheet)
  for (let row = block.startRow; row < block.endRow; row++) {
    if (left.has(row)) continue
    put(sheet, row, block.startColumn, cells)
  }
  return {}
}

export function repeatCell(
  draft: BookDraft,
  { range, cell, fields }: RequestArgs<'repeatCell'>,
  context: Context,
) {
  const put = cellWriter(draft, fields)
  const sheet = sheetOf(draft, range.sheetId)
  const block = blockOf(sheet, range)
  const { startRow, endRow, startColumn, endColumn } = block
  checkEditable(draft, sheet, block, context)
  const cells = new Array<CellData>(endColumn - startColumn).fill(cell)
  for (let row = startRow; row < endRow; row++) {
    put(sheet, row, startColumn, cells, row - startRow)
  }
  return {}
}

/** `repeated`: offset of a cell that is written to many rows; relative references are shifted by it. */
type Put = (
  sheet: SheetDraft,
  row: number,
  column: number,
  cells: readonly CellData[],
  repeated?: number,
) => void

/** Returns a writer for the masked fields of CellData. */
function cellWriter(draft: BookDraft, fields: string): Put {
  const mask = updateMask(fields, [...CELL_FIELDS, ...OTHER_CELL_FIELDS])
  const other = OTHER_CELL_FIELDS.find((name) => mask.has(name))
  if (other) throw notInSandbox(`the cell field ${other}`)
  const wanted = (name: string) => mask.get(name) ?? (mask.has('*') ? (new Map() satisfies Mask) : undefined)
  const format = wanted('userEnteredFormat')
  const value = wanted('userEnteredValue')
  const note = wanted('note')
  const putFormat =
    format &&
    formatWriter(draft, (cell, before) => mergedFormat(before, cell.userEnteredFormat ?? {}, format))
  const putValidation = wanted('dataValidation') && formatWriter(draft, withValidation)
  return (sheet, row, column, cells, repeated) => {
    if (value) {
      const contents = cells.map(({ userEnteredValue }, x) => {
        const content = contentOf(userEnteredValue)
        return content instanceof Formula && repeated !== undefined ? moved(content, repeated, x) : content
      })
      sheet.grid.putRow(row, column, contents)
    }
    if (!putFormat && !putValidation && !note) return
    for (const [x, cell] of cells.entries()) {
      putFormat?.(sheet, row, column + x, cell)
      putValidation?.(sheet, row, column + x, cell)
      if (note) putNote(sheet, row, column + x, cell.note)
    }
  }
}

function formatWriter(draft: BookDraft, change: (cell: CellData, before: CellFormat) => CellFormat) {
  // Cache: most cells of a request have the same format before and after.
  const changed = new Map<CellData, Map<number, number>>()
  return ({ grid }: SheetDraft, row: number, column: number, cell: CellData) => {
    const before = grid.format(row, column)
    let known = changed.get(cell)
    if (!known) {
      known = new Map()
      changed.set(cell, known)
    }
    let after = known.get(before)
    if (after === undefined) {
      after = draft.formats.intern(change(cell, draft.formats.get(before)))
      known.set(before, after)
    }
    grid.putFormat(row, column, after)
  }
}

function withValidation({ dataValidation }: CellData, before: CellFormat): CellFormat {
  return styled(before, { ...before, dataValidation }, 'PASTE_DATA_VALIDATION')
}

/** Merges the masked fields of a format. Colour and colour style are kept consistent. */
function mergedFormat({ dataValidation, ...before }: CellFormat, from: Json, mask: Mask): CellFormat {
  const merged = withOneColor(merge(before, from, mask), from, mask, 'backgroundColor')
  const after: CellFormat = { ...merged, ...(dataValidation && { dataValidation }) }
  const text = mask.get('textFormat')
  if (!isJson(after.textFormat)) return after
  const textFrom = isJson(from.textFormat) ? from.textFormat : {}
  return {
    ...after,
    textFormat: withOneColor(after.textFormat, textFrom, text ?? new Map(), 'foregroundColor'),
  }
}

function withOneColor(merged: Json, from: Json, mask: Mask, color: string): Json {
  const style = `${color}Style`
  const whole = mask.size === 0 || mask.has('*')
  if (!whole && !mask.has(color) && !mask.has(style)) return merged
  const styleGiven = isJson(from[style]) && (whole || mask.has(style))
  const { [color]: plain, [style]: styled, ...rest } = merged
  return withTwinColors(styleGiven ? { ...rest, [style]: styled } : { ...rest, [color]: plain }, color, style)
}

function contentOf(value: ExtendedValue | undefined): Content {
  if (!value) return null
  const { numberValue, stringValue, boolValue, formulaValue, errorValue } = value
  if (errorValue !== undefined) throw invalid('Invalid value: errorValue cannot be set.')
  if (formulaValue !== undefined)
    return new Formula(formulaValue.startsWith('=') ? formulaValue : `=${formulaValue}`)
  if (stringValue !== undefined && stringValue.length > MAX_CHARACTERS) throw invalid(TOO_LONG)
  return numberValue ?? boolValue ?? (stringValue || null)
}

function putNote(sheet: SheetDraft, row: number, column: number, note: string | undefined): void {
  const key = `${row},${column}`
  if (!note && !sheet.notes.has(key)) return
  const notes = new Map(sheet.notes)
  if (note) notes.set(key, note)
  else notes.delete(key)
  sheet.notes = notes
}

/** Returns the row after the last one. Throws 400 if the rows exceed the block. */
function checkFits(
  rows: RequestArgs<'updateCells'>['rows'],
  {
    startRow,
    endRow,
    startColumn,
    endColumn,
  }: { startRow: number; endRow: number; startColumn: number; endColumn: number },
): { endRow: number; endColumn: number } {
  if (startRow + rows.length > endRow) {
    throw invalid(`Attempting to write row: ${endRow}, beyond the last requested row of: ${endRow - 1}`)
  }
  const widest = rows.reduce((most, { values }) => Math.max(most, values.length), 0)
  if (startColumn + widest > endColumn) {
    throw invalid(
      `Attempting to write column: ${endColumn}, beyond the last requested column of: ${endColumn - 1}`,
    )
  }
  return { endRow: startRow + rows.length, endColumn: startColumn + widest }
}
