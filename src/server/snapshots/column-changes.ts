import { distance } from 'fastest-levenshtein'
import type { ColumnChange } from '../../contract/remembered-columns/calls.ts'
import type { CellValue, Row } from '../../contract/tables.ts'
import { headerNames, plainName } from './column-names.ts'
import { type ColumnValues, columnValues, likeness, repeats } from './column-values.ts'

/** Values that a page shows of a column, and characters of each. */
const [VALUES_SHOWN, CHARACTERS_SHOWN] = [5, 60]
/** Columns that are compared side by side; a table with more changes is another table. */
const MAX_CHANGES = 100

/** A column is shifted if less than this share of it is as before, while more of it than the other is like its neighbour. */
const [UNLIKE, LIKE] = [0.5, 0.7]
/** Names and values that make a new column the missing one, each without the help of the other. */
const [LIKE_NAME, LIKE_VALUES] = [0.6, 0.8]
/** Columns with close names whose values have less in common than this are two columns. */
const UNLIKE_VALUES = 0.2
/** By values alone, the best candidate must be better than the next by this much. */
const CLEARLY = 0.1

/** A header and evenly spread rows below it. */
export type Sample = { header: Row; rows: readonly Row[] }
type Column = { name: string; at: number; cells: CellValue[]; values: ColumnValues }

/** Columns that are missing, renamed, new or shifted in the new rows, in the order of the current rows. */
export function columnChanges(current: Sample, incoming: Sample): ColumnChange[] {
  const [before, now] = [columnsOf(current), columnsOf(incoming)]
  const kept = new Map(now.map((column) => [column.name, column]))
  const former = new Set(before.map(({ name }) => name))
  const missing = before.filter(({ name }) => !kept.has(name))
  const added = now.filter(({ name }) => !former.has(name))
  const renamed = renamedColumns(missing, added)
  const changes: ColumnChange[] = before.flatMap((column, at) => {
    const same = kept.get(column.name)
    if (same === undefined) {
      const other = renamed.get(column)
      return [change(other ? 'renamed' : 'missing', column, other)]
    }
    const neighbour = shiftedFrom(column, same, [before[at - 1], before[at + 1]])
    return neighbour ? [{ ...change('shifted', column, same), looks_like: neighbour.name }] : []
  })
  const found = new Set(renamed.values())
  const others = added
    .filter((column) => !found.has(column))
    .map((column) => change('new', undefined, column))
  return [...changes, ...others].slice(0, MAX_CHANGES)
}

/** Whether columns must be approved: a new column alone is only warned of. */
export const needApproval = (changes: readonly ColumnChange[]): boolean =>
  changes.some(({ kind }) => kind !== 'new')

/** Some values of each column of a table, as a page shows them. */
export const seenColumns = (sample: Sample) => columnsOf(sample).map(seen)

function columnsOf({ header, rows }: Sample): Column[] {
  return headerNames(header).map((name, at) => {
    const cells = rows.map((row) => row[at] ?? null)
    return { name, at, cells, values: columnValues(cells) }
  })
}

const change = (
  kind: ColumnChange['kind'],
  before: Column | undefined,
  now: Column | undefined,
): ColumnChange => ({
  kind,
  before: before ? seen(before) : null,
  now: now ? seen(now) : null,
  looks_like: null,
})

const seen = ({ name, at, values }: Column) => ({
  name,
  position: at + 1,
  values: [...values.values.keys()]
    .slice(0, VALUES_SHOWN)
    .map((text) => (text.length > CHARACTERS_SHOWN ? `${text.slice(0, CHARACTERS_SHOWN)}…` : text)),
})

/** The neighbour in the current rows that a column's values look like, if they no longer look like its own. */
function shiftedFrom(
  before: Column,
  now: Column,
  neighbours: readonly (Column | undefined)[],
): Column | undefined {
  const own = likeness(before.values, now.values)
  if (own === null || own >= UNLIKE) return undefined
  // Values that repeat do not come from a column of others: “Round 2” that becomes “Round 3” in every row is a new value.
  return neighbours.find(
    (other) =>
      other &&
      repeats(other.values) === repeats(now.values) &&
      (likeness(other.values, now.values) ?? 0) >= LIKE,
  )
}

type Pair = { before: Column; now: Column; name: number; values: number | null }

/** New columns by the missing column that each may be, the most alike pairs first. */
function renamedColumns(missing: readonly Column[], added: readonly Column[]): Map<Column, Column> {
  const pairs = missing.flatMap((before) =>
    added.map(
      (now): Pair => ({
        before,
        now,
        name: nameLikeness(before.name, now.name),
        values: likeness(before.values, now.values),
      }),
    ),
  )
  const score = ({ name, values }: Pair) => name + (values ?? 0)
  const found = new Map<Column, Column>()
  for (const pair of pairs.filter((one) => isRenamed(one, pairs)).sort((a, b) => score(b) - score(a)))
    if (!found.has(pair.before) && ![...found.values()].includes(pair.now)) found.set(pair.before, pair.now)
  return found
}

function isRenamed(pair: Pair, pairs: readonly Pair[]): boolean {
  const { before, now, name, values } = pair
  if (name >= LIKE_NAME) return values === null || values >= UNLIKE_VALUES
  if (values === null || values < LIKE_VALUES) return false
  const rivals = pairs.filter((one) => one !== pair && (one.before === before || one.now === now))
  return rivals.every((one) => (one.values ?? 0) + CLEARLY <= values)
}

/** 1: the same letters and digits; 0: nothing in common. */
function nameLikeness(one: string, other: string): number {
  const [left, right] = [one, other].map((name) =>
    plainName(name)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  )
  if (!left || !right) return 0
  return 1 - distance(left, right) / Math.max(left.length, right.length)
}
