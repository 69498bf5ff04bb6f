import type { Row } from '../../contract/tables.ts'
import { OriginFailure } from './connector.ts'

const EMPTY = Buffer.from('[]')
const BLANK_ENDS = [Buffer.from('""]'), Buffer.from('null]')]

/** A blank row. */
export const BLANK_ROW: Uint8Array = EMPTY

/** Parses a row from a JSON array. Throws OriginFailure `unavailable` for anything else. */
export function parseRow(json: string): Row {
  const row = parsed(json)
  let length = 0
  // Checked by hand and in place: a schema would take longer than all other processing of a cell.
  for (let column = 0; column < row.length; column += 1) {
    const cell = row[column]
    if (cell === '' || cell === null) {
      row[column] = null
    } else if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') {
      length = column + 1
    } else {
      throw new OriginFailure(
        'unavailable',
        'The origin answered a cell that is neither text, number nor boolean.',
      )
    }
  }
  row.length = length
  return row
}

/** The same for the bytes of a row. */
export const parseRowBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Row =>
  parseRow(Buffer.from(buffer, byteOffset, byteLength).toString())

/** Serialises a row: blank cells are '', as in Google's responses, and trailing ones are omitted. */
export const rowText = (row: Row): string =>
  JSON.stringify(row.includes(null) ? row.map((cell) => cell ?? '') : row)

/** The same for a row that was parsed from `json`, which can be reused unless it ends with a blank cell. */
export const storedText = (row: Row, json: string): string =>
  json.endsWith('""]') || json.endsWith('null]') ? rowText(row) : json

/** The same for the bytes of a row. */
export function storedRow(row: Uint8Array): Uint8Array {
  const json = Buffer.from(row.buffer, row.byteOffset, row.byteLength)
  if (!BLANK_ENDS.some((end) => json.subarray(-end.length).equals(end))) return row
  return Buffer.from(rowText(parseRow(json.toString())))
}

/** A column name that can be stored: NUL and unpaired surrogates become U+FFFD. */
export const storableName = (name: string): string => name.toWellFormed().replaceAll('\0', '\ufffd')

/** Number of cells with a value. */
export const filledCells = (row: Row): number =>
  row.reduce<number>((filled, cell) => (cell === null || cell === '' ? filled : filled + 1), 0)

/** Whether all cells are blank. */
export function isBlankRow(row: Uint8Array): boolean {
  if (row.length === EMPTY.length) return true
  for (const byte of row) {
    // Any other byte belongs to a value.
    if (byte !== 0x5b && byte !== 0x5d && byte !== 0x22 && byte !== 0x2c && byte > 0x20) return false
  }
  return parseRow(Buffer.from(row).toString('utf8')).length === 0
}

function parsed(json: string): Row {
  try {
    const row: unknown = JSON.parse(json)
    if (Array.isArray(row)) return row
  } catch (error) {
    throw new OriginFailure('unavailable', 'The origin answered something else than rows.', { cause: error })
  }
  throw new OriginFailure('unavailable', 'The origin answered something else than rows.')
}
