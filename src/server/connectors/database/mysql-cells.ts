import mysql from 'mysql2'
import { BLANK_CELL, bytesCell, exactCell, floatCell, textCell } from './cells.ts'
import type { ValueNotes } from './value-notes.ts'

/** The properties of a column that decide how its values are converted. */
export type MysqlColumn = {
  name: string
  columnType?: number | undefined
  characterSet?: number | undefined
  columnLength?: number | undefined
  flags?: number | string[] | undefined
}

type Cell = (bytes: Buffer) => string

// CommonJS getters cannot be imported by name.
const { Types } = mysql

// The protocol's id of the character set `binary`, and its flag for ZEROFILL columns.
const BINARY = 63
const ZEROFILL = 64

const EXACT = new Set<number | undefined>([
  Types.DECIMAL,
  Types.NEWDECIMAL,
  Types.LONGLONG,
  Types.TINY,
  Types.SHORT,
  Types.LONG,
  Types.INT24,
  Types.YEAR,
])
const STRINGS = new Set<number | undefined>([
  Types.VARCHAR,
  Types.VAR_STRING,
  Types.STRING,
  Types.TINY_BLOB,
  Types.BLOB,
  Types.MEDIUM_BLOB,
  Types.LONG_BLOB,
])

/** Returns the conversion of a column's values to JSON, from the bytes that the server sends. */
export function cellWriter(
  described: MysqlColumn,
  column: number,
  notes: ValueNotes,
): (bytes: Buffer | null) => string {
  const write = writerOf(described, column, notes)
  return (bytes) => (bytes === null ? BLANK_CELL : write(bytes))
}

function writerOf(
  { columnType, characterSet, columnLength, flags }: MysqlColumn,
  column: number,
  notes: ValueNotes,
): Cell {
  const text: Cell = (bytes) => textCell(bytes.toString('utf8'), column, notes)
  if (columnType === Types.FLOAT) notes.add('short_float', column)
  if (columnType === Types.FLOAT || columnType === Types.DOUBLE)
    return (bytes) => floatCell(bytes.toString('latin1'))
  if (EXACT.has(columnType)) {
    // Leading zeros of ZEROFILL columns are kept.
    if (columnType !== Types.YEAR && typeof flags === 'number' && (flags & ZEROFILL) !== 0) return text
    return (bytes) => exactCell(bytes.toString('latin1'), column, notes)
  }
  // The session's time zone is UTC.
  if (columnType === Types.TIMESTAMP) return (bytes) => JSON.stringify(`${bytes.toString('latin1')}+00`)
  if (columnType === Types.BIT) return (bytes) => JSON.stringify(bitsOf(bytes, columnLength ?? 0))
  const isBytes = STRINGS.has(columnType) && characterSet === BINARY
  if (isBytes || columnType === Types.GEOMETRY) return (bytes) => bytesCell(bytes, column, notes)
  return text
}

function bitsOf(bytes: Buffer, length: number): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.slice(-length || undefined)
}
