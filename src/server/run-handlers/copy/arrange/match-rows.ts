/** Keys of the rows of a table, the first row at index 0. Null: the row has no key. Undefined: the row is blank and takes no part. */
export type RowKeys = readonly (string | null | undefined)[]

/** Rows, counted from 1, that cannot be matched because they have no key (null) or all have the same one. */
export type BadKey = { side: 'source' | 'target'; key: string | null; rows: number[] }

/** A row of the target that stays as it is. */
export const STAYS = 0
/** A row of the target that the task wrote and the source no longer has. */
export const MISSING = -1

/** `sourceOf`: for each row of the target the row of the source that it becomes, `STAYS` or `MISSING`. Rows count from 1. */
export type Matching = { sourceOf: Int32Array; added: number[]; bad: BadKey[] }

/**
 * Matches the rows of two tables by key. `wasWritten`: whether an earlier run wrote the key. Rows of the target whose key nobody needs may
 * repeat it, or have none if no run wrote such a row.
 */
export function matchRows(source: RowKeys, target: RowKeys, wasWritten: (key: string) => boolean): Matching {
  const sources = indexOf(source)
  const targets = indexOf(target)
  const bad = [...badKeys('source', sources)]
  const sourceOf = new Int32Array(target.length)
  const isNeeded = (key: string) => sources.rows.has(key) || wasWritten(key)
  for (const entry of badKeys('target', targets))
    if (entry.key === null || isNeeded(entry.key)) bad.push(entry)
  for (const [key, row] of targets.rows) {
    const from = sources.rows.get(key)
    if (typeof row !== 'number' || typeof from === 'object') continue
    if (from !== undefined) sourceOf[row - 1] = from
    else if (wasWritten(key)) sourceOf[row - 1] = MISSING
  }
  const added: number[] = []
  for (const [key, row] of sources.rows)
    if (typeof row === 'number' && !targets.rows.has(key)) added.push(row)
  return { sourceOf, added, bad }
}

/** Matches rows that are only added: those of the source whose key the target does not have. */
export function matchAppended(source: RowKeys, target: RowKeys): Matching {
  const held = new Set(target)
  const sources = indexOf(source)
  const added: number[] = []
  for (const [key, row] of sources.rows) if (typeof row === 'number' && !held.has(key)) added.push(row)
  return { sourceOf: new Int32Array(target.length), added, bad: [...badKeys('source', sources)] }
}

/** The row of each key, or its rows if they are several: an array for each key would take most of the memory. */
type Index = { rows: Map<string, number | number[]>; blank: number[] }

function indexOf(keys: RowKeys): Index {
  const rows: Index['rows'] = new Map()
  const blank: number[] = []
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue
    if (key === null) {
      blank.push(index + 1)
      continue
    }
    const known = rows.get(key)
    if (typeof known === 'object') known.push(index + 1)
    else rows.set(key, known === undefined ? index + 1 : [known, index + 1])
  }
  return { rows, blank }
}

function* badKeys(side: BadKey['side'], { rows, blank }: Index): Generator<BadKey> {
  if (blank.length > 0) yield { side, key: null, rows: blank }
  for (const [key, same] of rows) if (typeof same === 'object') yield { side, key, rows: same }
}
