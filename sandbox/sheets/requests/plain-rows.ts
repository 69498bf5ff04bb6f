import { isJson, type Json } from '../model/json.ts'

type PlainCell = {
  userEnteredValue?: {
    stringValue?: string
    formulaValue?: string
    numberValue?: number
    boolValue?: boolean
  }
}

type PlainRow = { values?: PlainCell[] }

type PlainUpdate = {
  rows: { values: PlainCell[] }[]
  fields: string
  start: { sheetId: number; rowIndex: number; columnIndex: number }
}

/**
 * Parses an UpdateCellsRequest that has a start cell and plain rows; null otherwise. A request may have tens of thousands of them.
 */
export function plainUpdate(json: unknown): PlainUpdate | null {
  if (!isJson(json)) return null
  for (const name in json) if (name !== 'start' && name !== 'rows' && name !== 'fields') return null
  const { start, rows, fields } = json
  if (!isJson(start) || typeof fields !== 'string') return null
  for (const name in start)
    if (name !== 'sheetId' && name !== 'rowIndex' && name !== 'columnIndex') return null
  const { sheetId = 0, rowIndex = 0, columnIndex = 0 } = start
  if (!isWhole(sheetId) || !isWhole(rowIndex) || !isWhole(columnIndex)) return null
  const plain = plainRows(rows)
  return plain && { rows: plain, fields, start: { sheetId, rowIndex, columnIndex } }
}

const isWhole = (number: unknown): number is number => Number.isSafeInteger(number)

/** Parses rows that have only entered values; null otherwise. */
export function plainRows(rows: unknown): { values: PlainCell[] }[] | null {
  return Array.isArray(rows) && arePlainRows(rows) ? rows.map(({ values = [] }) => ({ values })) : null
}

/** Cache of validated lists, because a request is parsed in several steps. */
const plainLists = new WeakSet<unknown[]>()

/** True if all rows of an immutable list are plain rows. */
export function arePlainRows(rows: unknown[]): rows is PlainRow[] {
  if (plainLists.has(rows)) return true
  if (!rows.every(isPlainRow)) return false
  plainLists.add(rows)
  return true
}

/**
 * True for RowData in canonical JSON names, without nulls, with only entered values. Hand-written for speed: a request may have
 * hundreds of thousands of such cells.
 */
export function isPlainRow(row: unknown): row is PlainRow {
  if (!isJson(row)) return false
  for (const name in row) if (name !== 'values') return false
  const { values } = row
  return values === undefined || (Array.isArray(values) && values.every(isPlainCell))
}

function isPlainCell(cell: unknown): boolean {
  if (!isJson(cell)) return false
  for (const name in cell) if (name !== 'userEnteredValue') return false
  const { userEnteredValue } = cell
  return userEnteredValue === undefined || (isJson(userEnteredValue) && isPlainValue(userEnteredValue))
}

function isPlainValue(value: Json): boolean {
  for (const name in value) {
    const given = value[name]
    if (name === 'stringValue' || name === 'formulaValue') {
      if (typeof given !== 'string') return false
    } else if (name === 'numberValue') {
      if (!Number.isFinite(given)) return false
    } else if (name !== 'boolValue' || typeof given !== 'boolean') return false
  }
  return true
}
