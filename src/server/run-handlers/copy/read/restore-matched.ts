import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, FormulaText, ReadableTarget } from '../../../connectors/connector.ts'
import { filledCells, parseRow, rowText } from '../../../connectors/row-json.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { Db } from '../../../platform/db.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import { keyReader } from '../../../snapshots/row-key.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { readSnapshot, type StoredSnapshot, textsOfRows } from '../../../snapshots/snapshot.ts'
import type { Matched } from '../arrange/arrange-tables.ts'
import { countsRows } from '../arrange/remembered-rows.ts'
import { storeWanted, type WantedRow } from '../arrange/store-wanted.ts'
import { lastRow, TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Definition, selfChangingColumns } from '../definition.ts'
import { type ColumnPlaces, type Restored, restoredRows } from './restored-rows.ts'
import type { SourceCopy } from './source-copy.ts'

const ROWS_AT_ONCE = 1_000

/** A change of the target by a run: the rows before and after it, and where the task's columns and its key stood. */
type StoredChange = {
  id: number
  former: StoredSnapshot
  wanted: StoredSnapshot
  differing: RowSet
  /** Columns by name; where they are not found by their headers, by place. */
  columns: Map<string, number>
  keys: number[]
}

/** `held`: the target's rows as they were read. `formulas`: how many are written back; null: it is unknown which cells were formulas. */
export type RestoredTarget = {
  copy: SourceCopy
  formulas: number | null
  held: TargetRows
  written: Pick<Matched, 'written' | 'end'>
  kept: CellPlace[]
  deleted_cells: number
}

/**
 * The rows with which a preview restores a version of a target whose rows are matched: those that it holds, with the cells of the version in
 * the rows that runs have changed since (`restoredRows`). Null: the columns of the key are not in all tables, or their rows are no longer kept.
 */
export async function restoreMatched(
  attempt: CopyAttempt,
  { plan_id, side, overwrite_edits }: NonNullable<Definition['version']>,
  target: ReadableTarget,
): Promise<RestoredTarget | null> {
  const { context, definition } = attempt
  const { db } = context
  await context.progress({ phase: 'Matching rows' })
  const changes = await readChanges(attempt, plan_id)
  const [first, last] = [changes?.[0], changes?.at(-1)]
  if (!changes || !first || !last) return null
  const restored = first[side]
  const since = side === 'former' ? changes : changes.slice(1)
  const held = await TargetRows.read(target)
  const version = await TargetRows.stored(db, restored)
  const written = await TargetRows.stored(db, last.wanted)
  const places = placesIn({ first, last, since, held, definition })
  const keys = places.filter(({ isKey }) => isKey)
  if (keys.some(({ now }) => now < 0) || keys.length !== first.keys.length) return null
  const isKeyless = keys.length === 0
  const ownKeys = isKeyless ? places.filter(({ isSelfChanging }) => !isSelfChanging) : keys
  const readers = keyReaders(ownKeys, { first, last })
  const rows = restoredRows({
    ...{ version, written, now: held, columns: places, keys },
    ...{ keepsEdits: !overwrite_edits, isByPlace: isByPlace(definition) },
    keyOf: (of, row) => readers[of](row) ?? null,
    changes: isByPlace(definition) ? new Map() : await changedKeys(db, since, ownKeys),
  })
  const columns = [...new Set(places.flatMap(({ now }) => (now < 0 ? [] : now)))].sort(
    (one, other) => one - other,
  )
  // Rows that replace others have no key, and without one all cells are it.
  const ofKey = isByPlace(definition) ? [] : isKeyless ? columns : keys.map(({ now }) => now)
  const { formats } = last.wanted
  const { copy, formulas } = await store(attempt, { rows, held, places, restored, target, formats })
  const end = lastRow(held.length, rows.changed.keys())
  return {
    copy,
    formulas: restored.formulas === null ? null : formulas,
    held,
    written: {
      written: {
        ...{ columns, keys: ofKey, inserted_from: null },
        isWhole: (row) => row === 0 || rows.whole.has(row),
      },
      end,
    },
    kept: rows.kept,
    deleted_cells: rows.deleted.reduce((cells, row) => cells + ownCells(version.row(row), places), 0),
  }
}

const isByPlace = ({ write_mode }: Definition) => write_mode === 'replace'

const ownCells = (row: Row, places: readonly ColumnPlaces[]) =>
  filledCells(places.map((place) => row[place.version] ?? null))

/** The changes from a version to the last one, the oldest first. Null: a key is not in its table, or rows are no longer kept. */
async function readChanges(
  { context: { db, run }, definition }: CopyAttempt,
  plan_id: number,
): Promise<StoredChange[] | null> {
  // Index: plans_versions_idx.
  const plans = await db
    .selectFrom('plans')
    .select(['id', 'target', 'former_snapshot_id', 'wanted_snapshot_id', 'differing'])
    .where('task_id', '=', run.task_id)
    .where('id', '>=', plan_id)
    .where('applied_at', 'is not', null)
    .where('is_split', '=', false)
    .where('split_value', 'is', null)
    .orderBy('id')
    .execute()
  const changes: StoredChange[] = []
  for (const { id, target, former_snapshot_id, wanted_snapshot_id, differing } of plans) {
    const [former, wanted] = [
      await snapshotOf(db, former_snapshot_id),
      await snapshotOf(db, wanted_snapshot_id),
    ]
    if (!former || !wanted) return null
    const { written } = PlannedTarget.parse(target)
    // An undo may have removed headers.
    const names = headerNames(
      Array.from(
        { length: Math.max(former.header.length, wanted.header.length) },
        (_, column) => wanted.header[column] ?? former.header[column] ?? null,
      ),
    )
    const own = written?.columns ?? [...names.keys()]
    const nameOf = (column: number) =>
      definition.find_columns_by_header ? (names[column] ?? '') : String(column)
    const keys =
      isByPlace(definition) || countsRows(definition)
        ? []
        : (written?.keys ?? definition.key_columns.map((name) => findColumn(names, name)))
    if (keys.includes(-1)) return null
    const columns = new Map(own.map((column) => [nameOf(column), column]))
    changes.push({ id, former, wanted, differing: RowSet.ofBits(differing), columns, keys })
  }
  return changes[0]?.id === plan_id ? changes : null
}

const snapshotOf = async (db: Db, id: number | null) => (id === null ? null : readSnapshot(db, id))

type Places = ColumnPlaces & { name: string; isKey: boolean; isSelfChanging: boolean }

/** Where the columns of the task stand in the three tables. */
function placesIn({
  first,
  last,
  since,
  held,
  definition,
}: {
  first: StoredChange
  last: StoredChange
  since: readonly StoredChange[]
  held: TargetRows
  definition: Definition
}): Places[] {
  const heldNames = headerNames(held.header)
  const selfChanging = new Set(selfChangingColumns(definition, last.wanted.header))
  const names = new Set([first, ...since].flatMap(({ columns }) => [...columns.keys()]))
  return [...names].map((name) => {
    const version = first.columns.get(name) ?? -1
    const written = last.columns.get(name) ?? -1
    const found = definition.find_columns_by_header ? findColumn(heldNames, name) : Number(name)
    const now = found < 0 && (held.header[written] ?? null) === null ? written : found
    const isKey = first.keys.includes(version)
    return { name, version, written, now, isKey, isSelfChanging: selfChanging.has(written) }
  })
}

function keyReaders(keys: readonly Places[], { first, last }: { first: StoredChange; last: StoredChange }) {
  const at = (table: keyof ColumnPlaces) => keys.map((places) => places[table])
  return {
    version: readerOf(first, at('version')),
    written: readerOf(last, at('written')),
    now: readerOf(last, at('now'), at('written')),
  }
}

/** Reads keys from columns of a table. `formatsOf`: the columns of the change with their number formats. */
const readerOf = (change: StoredChange, columns: readonly number[], formatsOf = columns) =>
  keyReader(
    columns.map((column, index) => ({ column, formatOf: formatsOf[index] ?? column })),
    change.wanted.formats,
  )

/** The keys of the rows that changes have changed, added or cleared, and how often each was added. */
async function changedKeys(
  db: Db,
  changes: readonly StoredChange[],
  keys: readonly Places[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const change of changes) {
    const { former, wanted, differing, columns } = change
    const keyOf = readerOf(
      change,
      keys.map(({ name }) => columns.get(name) ?? -1),
    )
    for (const [table, added] of [
      [former, -1],
      [wanted, 1],
    ] as const)
      for await (const text of textsAt(db, table, differing)) {
        const key = keyOf(parseRow(text))
        if (typeof key === 'string') found.set(key, (found.get(key) ?? 0) + added)
      }
  }
  return found
}

async function* textsAt(db: Db, { id, row_count }: StoredSnapshot, rows: RowSet): AsyncGenerator<string> {
  for (let first = 1; first <= row_count; first += ROWS_AT_ONCE) {
    const last = Math.min(row_count, first + ROWS_AT_ONCE - 1)
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((row) =>
      rows.has(row),
    )
    if (numbers.length > 0) yield* (await textsOfRows(db, id, numbers)).values()
  }
}

/** Stores the rows that the target is to hold. `formulas`: how many cells of the version among them are formulas. */
async function store(
  attempt: CopyAttempt,
  {
    rows: { changed, from },
    held,
    places,
    restored,
    target,
    formats,
  }: {
    rows: Restored
    held: TargetRows
    places: readonly ColumnPlaces[]
    restored: StoredSnapshot
    target: ReadableTarget
    formats: StoredSnapshot['formats']
  },
): Promise<{ copy: SourceCopy; formulas: number }> {
  const width = 1 + Math.max(-1, ...places.map(({ now }) => now))
  const header = (changed.get(0) ?? held.header).slice(0, width)
  const formulas = new Set(restored.formulas?.map(({ row, column }) => `${row} ${column}`))
  const isOfVersion = ({ row, column }: CellPlace) => {
    const place = places.find(({ now }) => now === column)
    return from.has(row) && place !== undefined && changed.get(row)?.[column] !== held.row(row)[column]
  }
  let restoredFormulas = 0
  const copy = await storeWanted(attempt, {
    copy: { snapshot_id: restored.id, cachedRows: NO_ROWS },
    ...{ header, formats, source_columns: null, read_snapshot_id: null },
    rows: wantedRows(),
    sourceRow: (row) => row,
    formulasOf: async (cells) => {
      const [own, others] = [cells.filter(isOfVersion), cells.filter((cell) => !isOfVersion(cell))]
      const kept = new Set((await target.formulas(others)).map(({ row, column }) => `${row} ${column}`))
      const versionPlace = ({ row, column }: FormulaText) =>
        `${from.get(row)} ${places.find(({ now }) => now === column)?.version}`
      const ofVersion = own.filter((cell) => formulas.has(versionPlace(cell)))
      restoredFormulas = ofVersion.length
      return [...ofVersion, ...others.filter(({ row, column }) => kept.has(`${row} ${column}`))].sort(
        (one, other) => one.row - other.row || one.column - other.column,
      )
    },
  })
  return { copy, formulas: restoredFormulas }

  function* wantedRows(): Generator<WantedRow> {
    const end = lastRow(held.length, changed.keys())
    for (let row = 1; row <= end; row += 1) {
      const cells = changed.get(row)
      const json = cells ? Buffer.from(rowText(withoutBlanks(cells.slice(0, width)))) : held.json(row, width)
      yield { source: 0, build: () => json }
    }
  }
}

const NO_ROWS = { get: () => undefined }

const withoutBlanks = (row: Row): Row => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1)
