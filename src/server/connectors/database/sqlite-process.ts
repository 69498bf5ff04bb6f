// Reads one SQLite file in a separate process, because SQLite blocks until a statement is done. Standard input has
// the statement as a line of JSON; rows are written as lines, the header first, then the outcome. Arguments: folder,
// file

import { readSync } from 'node:fs'
import { constants, DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import { send, watchLimits } from '../isolated/inside.ts'
import { BLANK_CELL, bytesCell, exactCell, floatCell, rowOf, textCell } from './cells.ts'
import { sqliteFailure } from './sqlite-errors.ts'
import { sqliteFile } from './sqlite-file.ts'
import { ValueNotes } from './value-notes.ts'

const BATCH_CHARACTERS = 65_536
const LOCK_WAIT_MS = 5_000
const READS = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
])

const [folder = '', file = ''] = watchLimits()
const statement = readLine()
const notes = new ValueNotes()
let pending = ''
try {
  readRows()
  send(`${pending}${JSON.stringify({ notes: notes.entries() })}\n`)
} catch (error) {
  const { kind, message } = error instanceof OriginFailure ? error : sqliteFailure(error)
  send(`${JSON.stringify({ kind, message })}\n`)
}

function readRows(): void {
  // Checked again right before opening.
  const { path } = sqliteFile(file, folder)
  const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS })
  // Views and defaults of the file may not call functions with side effects.
  database.exec('pragma trusted_schema = off')
  database.setAuthorizer((action) => (READS.has(action) ? constants.SQLITE_OK : constants.SQLITE_DENY))
  const question = database.prepare(statement)
  if (hasMore(database, statement.slice(question.sourceSQL.length)))
    throw new OriginFailure('invalid', originMessages.statement_single)
  const columns = question.columns()
  if (columns.length === 0) throw new OriginFailure('invalid', originMessages.statement_answers_nothing)
  question.setReadBigInts(true)
  question.setReturnArrays(true)
  add(columns.map(({ name }, column) => textCell(name, column, notes)))
  for (const row of question.iterate()) add(Object.values(row).map(cellOf))
}

/** SQLite executes the first of several statements and ignores the others. */
function hasMore(database: DatabaseSync, rest: string): boolean {
  try {
    database.prepare(rest)
    return true
  } catch (error) {
    // Node's error for input that consists of white space and comments.
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE')
  }
}

function cellOf(value: SQLOutputValue, column: number): string {
  if (value === null || value === '') return BLANK_CELL
  if (typeof value === 'bigint') return exactCell(String(value), column, notes)
  if (typeof value === 'number') return floatCell(value)
  if (typeof value === 'string') return textCell(value, column, notes)
  return bytesCell(value, column, notes)
}

function add(cells: string[]): void {
  pending += `${rowOf(cells)}\n`
  if (pending.length < BATCH_CHARACTERS) return
  send(pending)
  pending = ''
}

function readLine(): string {
  const pieces: Buffer[] = []
  const piece = Buffer.alloc(65_536)
  do pieces.push(Buffer.from(piece.subarray(0, readSync(0, piece))))
  while (pieces.at(-1)?.at(-1) !== 0x0a)
  return String(JSON.parse(Buffer.concat(pieces).toString('utf8')))
}
