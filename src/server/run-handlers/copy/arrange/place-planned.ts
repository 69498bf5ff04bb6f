import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import type { ReadableTarget, WrittenCells } from '../../../connectors/connector.ts'
import { parseRowBytes, rowText } from '../../../connectors/row-json.ts'
import { RunFailure } from '../../../engine/types.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { formulasOf } from './arrange-tables.ts'
import { requireHeader } from './column-places.ts'
import type { Restored } from './restore-rows.ts'
import { storeWanted, type WantedRow } from './store-wanted.ts'
import { lastRow, TargetRows } from './target-rows.ts'

/** Keys of rows that a warning names. */
const MAX_KEYS = 5

/** A plan of matched rows that was written. Rows count from 1. */
type WrittenPlan = {
  /** The rows that it was to leave. */
  copy: SourceCopy
  target: ReadableTarget
  /** The rows before it. */
  before: TargetRows
  written: Omit<WrittenCells, 'target_rows'>
  /** Whether it restores a version. */
  isVersion: boolean
  /** A row as it was to leave it. */
  wanted: (row: number) => Row
  /** The columns in which it changes a row. */
  changesOf: (row: number) => number[]
}

/**
 * The rows that a target is to hold if rows of it were sorted or cleared while a plan was written. A row that the plan changes is recognised
 * by its key, which plans do not rewrite, and its changed cells are written there; all other cells stay. Where rows are replaced, each gets
 * the cells that were planned for its place. Warns of rows that are no longer there. Throws RunFailure if the header row
 * was moved.
 */
export async function placePlanned(
  attempt: CopyAttempt,
  plan: WrittenPlan,
  restore: (now: TargetRows) => Restored,
) {
  const { copy, target, written, isVersion } = plan
  const now = await TargetRows.read(target)
  const { rows, formulas, restored, keyless, put_back } = restore(now)
  const { context, definition } = attempt
  const { title } = target
  const { start_row } = definition
  requireHeader(rows.header, [copy.header], definition, { title, start_row, mayHaveWritten: true })
  if (definition.find_columns_by_header) requireColumns(rows.header, plan, title)
  const planned = Math.max(rows.length, copy.fingerprint.rows - 1)
  const { placed, gone } = definition.write_mode === 'replace' ? inPlace(planned) : placesOf(plan, rows)
  if (gone.length > 0)
    await context.warn({
      kind: 'plan-rows',
      subject: title,
      message: messages.plan_rows_left(title, {
        keys: gone.slice(0, MAX_KEYS),
        rows: gone.length,
        isVersion,
      }),
    })
  const isPlanned = (row: number) => placed.has(row)
  const wanted = await storeWanted(attempt, {
    copy,
    ...{ header: copy.header, formats: copy.formats, source_columns: null, read_snapshot_id: null },
    rows: rowsInPlaces(rows, {
      ...{ length: lastRow(planned, placed.keys()), placed, width: copy.header.length },
      columnsOf: definition.write_mode === 'replace' ? () => written.columns : plan.changesOf,
    }),
    formulasOf: (cells) =>
      formulasOf(cells, {
        target,
        isKept: ({ row, column }) => !written.columns.includes(column) || !isPlanned(row),
        former: formulas,
      }),
    sourceRow: (row) => row,
  })
  const isWhole = (row: number) => row === 0 || keyless.has(row) || written.isWhole(placed.get(row) ?? -1)
  return {
    copy: wanted,
    prefetch: now,
    written: { ...written, inserted_from: null, isWhole },
    isOthers: (row: number) => !isPlanned(row),
    restoring: restored,
    put_back,
  }
}

/** Throws RunFailure if a column of the plan was moved: its cells would be written into another one. */
function requireColumns(held: Row, { copy: { header }, written }: WrittenPlan, title: string): void {
  const names = headerNames(held)
  const moved = written.columns.find((column) => {
    const name = String(header[column] ?? '')
    const place = name === '' ? column : findColumn(names, name)
    return place >= 0 && place !== column
  })
  if (moved !== undefined)
    throw new RunFailure(messages.plan_column_moved(title, String(header[moved])), { retryable: false })
}

/** Rows that replace others stand where they were planned. */
const inPlace = (length: number) => ({
  placed: new Map(Array.from({ length }, (_, index) => [index + 1, index + 1])),
  gone: [],
})

/**
 * Finds the present row numbers of the rows that a plan changes (`placed`), and the keys of rows that cannot be found (`gone`). New rows that
 * are missing get a blank place, because the plan was not written. Without a key, equal rows count as new if there are more than before.
 */
function placesOf({ copy, before, wanted, written, changesOf }: WrittenPlan, now: TargetRows) {
  const placed = new Map<number, number>()
  const gone: string[] = []
  const keys = written.keys.length > 0 ? written.keys : written.columns
  const [placesBefore, placesNow] = [placesByKey(before, keys), placesByKey(now, keys)]
  const isFree = (row: number) =>
    !placed.has(row) && written.columns.every((column) => (now.row(row)[column] ?? null) === null)
  let end = now.length
  for (let row = 1; row <= Math.max(before.length, copy.fingerprint.rows - 1); row += 1) {
    if (changesOf(row).length === 0) continue
    const former = keyOf(before.row(row), keys)
    const isNew = isBlank(former)
    const key = isNew ? keyOf(wanted(row), keys) : former
    const known = placesBefore.get(textOf(key))?.length ?? 0
    const places = placesNow.get(textOf(key)) ?? []
    if (isBlank(key) || (!isNew && known > 1)) continue
    if (written.keys.length === 0) places.splice(0, known)
    const [place] = places
    const isKnown = place !== undefined && (places.length === 1 || written.keys.length === 0)
    if (isKnown) {
      placed.set(place, row)
      places.shift()
    } else if (isNew && place === undefined) {
      // Where rows were deleted, no gap is left above new ones.
      const next = Math.min(row, end + 1)
      const free = isFree(next) ? next : end + 1
      placed.set(free, row)
      end = Math.max(end, free)
    }
    // The key of a row that is cleared is no longer there.
    else if (isNew || !written.isWhole(row)) gone.push(key.map((cell) => cell ?? '').join(' / '))
  }
  return { placed, gone }
}

function placesByKey(rows: TargetRows, keys: readonly number[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (let row = 1; row <= rows.length; row += 1) {
    const key = keyOf(rows.row(row), keys)
    if (isBlank(key)) continue
    const known = places.get(textOf(key))
    if (known) known.push(row)
    else places.set(textOf(key), [row])
  }
  return places
}

const textOf = (key: readonly CellValue[]) => JSON.stringify(key)

const isBlank = (key: readonly CellValue[]) => key.every((cell) => cell === null)

const keyOf = (row: Row, keys: readonly number[]): CellValue[] => keys.map((column) => row[column] ?? null)

/** The rows of a target, those that were planned with their planned cells. */
function* rowsInPlaces(
  rows: TargetRows,
  {
    length,
    placed,
    columnsOf,
    width,
  }: {
    length: number
    placed: ReadonlyMap<number, number>
    columnsOf: (row: number) => readonly number[]
    width: number
  },
): Generator<WantedRow> {
  for (let row = 1; row <= length; row += 1) {
    const json = rows.json(row, width)
    const source = placed.get(row)
    if (source === undefined) {
      yield { source: 0, build: () => json }
      continue
    }
    const columns = columnsOf(source)
    yield {
      source,
      build: (planned) =>
        Buffer.from(rowText(withCells(parseRowBytes(json), columns, parseRowBytes(planned)))),
    }
  }
}

/** A row with the cells of another one in some columns, without blank cells at its end. */
function withCells(row: Row, columns: readonly number[], other: Row): Row {
  const cells = Array.from({ length: Math.max(row.length, other.length) }, (_, column) =>
    columns.includes(column) ? (other[column] ?? null) : (row[column] ?? null),
  )
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1)
}
