import type { CellValue, Row } from '../../../../contract/tables.ts'

/** Row numbers of a row in three tables, counted from 1; 0: it is not there. `version` or `now` is not 0. */
export type MergedRow = { version: number; written: number; now: number }

/**
 * Three tables: the version that is restored, the rows that a run wrote last, and the target now. `writtenOf`: the row that a row of the
 * version became; `nowOf`: the present row number of a written row. Both by row number; 0: there is none.
 */
export type Merge = {
  versionRows: number
  writtenOf: Int32Array
  nowOf: Int32Array
  nowRows: number
  isBlank: (now: number) => boolean
  /** Whether the cells of a row, wherever it is now, differ from those that were written. */
  isEdited: (row: { written: number; now: number }) => boolean
}

/**
 * Merges the rows in the order of the version. Rows that others inserted stay after the row that they follow, and so do rows that the run
 * added and others edited; rows that others deleted stay deleted.
 */
export function mergeRows(merge: Merge): { rows: MergedRow[]; deleted: MergedRow[] } {
  const { versionRows, writtenOf, nowOf } = merge
  const kept = keptByPredecessor(merge)
  const rows: MergedRow[] = [...(kept.get(0) ?? [])]
  const deleted: MergedRow[] = []
  for (let version = 1; version <= versionRows; version += 1) {
    const written = writtenOf[version] ?? 0
    const now = written === 0 ? 0 : (nowOf[written] ?? 0)
    const row = { version, written, now }
    if (written > 0 && now === 0) {
      deleted.push(row)
      continue
    }
    rows.push(row, ...(now > 0 ? (kept.get(now) ?? []) : []))
  }
  return { rows, deleted }
}

/** Rows of the target that are no rows of the version and stay, by the row of the version that they follow. */
function keptByPredecessor({
  writtenOf,
  nowOf,
  nowRows,
  isBlank,
  isEdited,
}: Merge): Map<number, MergedRow[]> {
  const isOfVersion = new Uint8Array(nowOf.length)
  for (const written of writtenOf) isOfVersion[written] = 1
  const writtenAt = new Int32Array(nowRows + 1)
  for (let written = 1; written < nowOf.length; written += 1) {
    const now = nowOf[written] ?? 0
    if (now <= nowRows) writtenAt[now] = written
  }
  const kept = new Map<number, MergedRow[]>()
  let predecessor = 0
  for (let now = 1; now <= nowRows; now += 1) {
    const written = writtenAt[now] ?? 0
    if (written > 0 && isOfVersion[written] === 1) {
      predecessor = now
      continue
    }
    const stays = written > 0 ? isEdited({ written, now }) : !isBlank(now)
    if (!stays) continue
    const list = kept.get(predecessor) ?? []
    list.push({ version: 0, written, now })
    kept.set(predecessor, list)
  }
  return kept
}

/**
 * Gives rows without a partner the row in their place, where as many rows of the other table stand between their neighbours: no row was
 * inserted or removed there. `areRestBlank`: so do rows behind the last one of the other table, where all rows are blank.
 */
export function pairByPlace(
  partners: Int32Array,
  otherRows: number,
  { areRestBlank = false }: { areRestBlank?: boolean } = {},
): void {
  const isTaken = new Uint8Array(otherRows + 1)
  for (const other of partners) if (other <= otherRows) isTaken[other] = 1
  let [row, other] = [0, 0]
  for (let next = 1; next <= partners.length; next += 1) {
    const isEnd = next === partners.length
    const nextOther = isEnd ? other + next - row : (partners[next] ?? 0)
    if (nextOther === 0) continue
    if (nextOther - other === next - row)
      for (let gap = 1; gap < next - row; gap += 1) {
        const place = other + gap
        if (place <= otherRows ? isTaken[place] !== 1 : areRestBlank) partners[row + gap] = place
      }
    row = next
    other = nextOther
  }
}

/**
 * Merges the cells of a row: a cell that still holds what was written gets the version's value, one that was edited keeps its own. `kept`:
 * columns of cells that keep another value than the version's.
 */
export function mergeCells({ version, written, now }: { version: Row; written: Row; now: Row }): {
  cells: Row
  kept: number[]
} {
  const cells: CellValue[] = []
  const kept: number[] = []
  for (let column = 0; column < Math.max(version.length, now.length); column += 1) {
    const [restored, current] = [version[column] ?? null, now[column] ?? null]
    const isKept = current !== (written[column] ?? null) && current !== restored
    if (isKept) kept.push(column)
    cells.push(isKept ? current : restored)
  }
  let { length } = cells
  while (length > 0 && cells[length - 1] === null) length -= 1
  return { cells: cells.slice(0, length), kept }
}
