import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { WriteSettings } from '../../../../contract/rows/write-settings.ts'
import type { Row } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import { findColumn, headerNames, nearestNames } from '../../../snapshots/column-names.ts'

type Settings = Pick<
  WriteSettings,
  'write_mode' | 'key_columns' | 'find_columns_by_header' | 'on_missing' | 'mark_column'
>
type Titles = { source: string; target: string }

/** Where the columns of a copy stand in the target. All columns count from 0. */
export type ColumnPlaces = {
  /** Column of the target for each column of the copy. */
  placeOf: number[]
  /** Columns of the copy that are the key. */
  keys: number[]
  /** Column of the target for the mark; null: rows are not marked. */
  mark: number | null
  /** The wanted header row of the target, up to the last column of the task. */
  header: Row
}

/** Finds the columns of a copy in the target. Throws RunFailure, which names the column, if one is missing or is there twice. */
export function placeColumns(copied: Row, held: Row, settings: Settings, titles: Titles): ColumnPlaces {
  const names = headerNames(copied)
  const keys =
    settings.write_mode === 'replace'
      ? []
      : settings.key_columns.map((name) => requireColumn(copied, names, name, titles.source))
  const placeOf = settings.find_columns_by_header
    ? foundPlaces(names, held, titles.target)
    : [...names.keys()]
  const header = held.slice(0, Math.max(0, ...placeOf.map((place) => place + 1)))
  for (const [column, place] of placeOf.entries()) header[place] = copied[column] ?? null
  const mark =
    settings.write_mode === 'update' && settings.on_missing === 'mark' ? settings.mark_column : null
  const marked = mark === null ? null : placeOfMark(mark, held, header, titles.target)
  for (let column = 0; column < header.length; column += 1) header[column] ??= held[column] ?? null
  return { placeOf, keys, mark: marked, header }
}

function requireColumn(header: Row, names: string[], name: string, title: string): number {
  const column = findColumn(names, name)
  if (column < 0) throw failure(messages.no_key_column(title, name, nearestNames(name, names)))
  if (header.filter((cell) => sameName(cell, header[column] ?? null)).length > 1)
    throw failure(messages.key_column_repeated(title, name))
  return column
}

/**
 * Throws RunFailure if no header that the task has written is in its row any more: rows above it were deleted, or it was moved. The run
 * would take a row of data for the header and write over it. Also if columns are found by their headers and one of the key is missing.
 */
export function requireHeader(
  held: Row,
  written: readonly Row[],
  { write_mode, find_columns_by_header, key_columns }: Settings,
  place: { title: string; start_row: number; mayHaveWritten: boolean },
): void {
  const headers = written.filter((header) => header.some(isFilled))
  const [expected] = headers
  if (!expected || !held.some(isFilled)) return
  const names = headerNames(held)
  const isThere = (name: string) => findColumn(names, name) >= 0
  // Columns may have changed places.
  const isInPlace = headers.some((header) => headerNames(header.filter(isFilled)).some(isThere))
  const key = find_columns_by_header && write_mode !== 'replace' ? key_columns : []
  const missing = key.find((name) => !isThere(name))
  if (isInPlace && missing === undefined) return
  if (isInPlace && missing !== undefined && !place.mayHaveWritten)
    throw failure(messages.no_key_column(place.title, missing, nearestNames(missing, names)))
  throw failure(messages.header_gone({ ...place, expected: textsOf(expected), found: textsOf(held) }))
}

const isFilled = (cell: Row[number]) => cell !== null && cell !== ''
const textsOf = (row: Row) => row.filter(isFilled).map(String)

/** Columns that the target does not have are added behind its last one. */
function foundPlaces(names: readonly string[], held: Row, title: string): number[] {
  const heldNames = headerNames(held)
  let end = held.length
  return names.map((name) => {
    const place = findColumn(heldNames, name)
    if (place < 0) {
      end += 1
      return end - 1
    }
    if (held.filter((cell) => sameName(cell, held[place] ?? null)).length > 1)
      throw failure(messages.column_repeated(title, name))
    return place
  })
}

/** The mark stands in the column with its header, or in a new one behind all others. */
function placeOfMark(name: string, held: Row, header: Row, title: string): number {
  const all = Array.from(
    { length: Math.max(held.length, header.length) },
    (_, column) => header[column] ?? held[column] ?? null,
  )
  const names = headerNames(all)
  const found = findColumn(names, name)
  const place = found < 0 ? all.length : found
  if (found >= 0 && all.filter((cell) => sameName(cell, all[found] ?? null)).length > 1)
    throw failure(messages.column_repeated(title, name))
  for (let column = header.length; column < place; column += 1) header.push(held[column] ?? null)
  header[place] ??= name
  return place
}

const sameName = (one: Row[number], other: Row[number]) =>
  String(one ?? '')
    .normalize('NFC')
    .trim() ===
  String(other ?? '')
    .normalize('NFC')
    .trim()

const failure = (message: string) => new RunFailure(message, { retryable: false })
