import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, FormulaText, ReadableTarget } from '../../../connectors/connector.ts'
import { filledCells, rowText } from '../../../connectors/row-json.ts'
import { findColumn, headerNames } from '../../../snapshots/column-names.ts'
import type { keyReader } from '../../../snapshots/row-key.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { Matched } from '../arrange/arrange-tables.ts'
import { storeWanted, type WantedRow } from '../arrange/store-wanted.ts'
import { lastRow, TargetRows } from '../arrange/target-rows.ts'
import { hashOf, readWrittenRows } from '../arrange/written-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { type Definition, selfChangingColumns } from '../definition.ts'
import { type ColumnPlaces, type Restored, restoredRows } from './restored-rows.ts'
import type { SourceCopy } from './source-copy.ts'
import { changedKeys, isByPlace, readChanges, readerOf, type StoredChange } from './stored-changes.ts'

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
  const [first, last] = [changes?.find(({ id }) => id === plan_id), changes?.at(-1)]
  if (!changes || !first || !last) return null
  const restored = first[side]
  const since = changes.slice(changes.indexOf(first) + (side === 'former' ? 0 : 1))
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
    ...(isByPlace(definition)
      ? { changes: new Map(), unchanged: new Set() }
      : {
          changes: await changedKeys(db, since, ownKeys),
          unchanged: await otherKeys(attempt, { changes, version, keyOf: readers.version, keys: ownKeys }),
        }),
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

const ownCells = (row: Row, places: readonly ColumnPlaces[]) =>
  filledCells(places.map((place) => row[place.version] ?? null))

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

/** The keys of rows of a version that the task has written: in a change that is kept, or as it remembers itself. */
async function otherKeys(
  { context }: CopyAttempt,
  {
    changes,
    version,
    keyOf,
    keys,
  }: {
    changes: readonly StoredChange[]
    version: TargetRows
    keyOf: ReturnType<typeof keyReader>
    keys: readonly Places[]
  },
): Promise<Set<string>> {
  const found = new Set((await changedKeys(context.db, changes, keys)).keys())
  const { written, pending } = (await readWrittenRows(context.db, context.run.task_id)) ?? {}
  for (let row = 1; row <= version.length; row += 1) {
    const key = keyOf(version.row(row))
    if (typeof key !== 'string') continue
    const hash = hashOf(key)
    if (written?.has(hash) || pending?.has(hash)) found.add(key)
  }
  return found
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
