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
  for (const [key, rows] of targets.rows) {
    const [row = 0] = rows
    const [from, ...others] = sources.rows.get(key) ?? []
    if (rows.length > 1 || others.length > 0) continue
    if (from !== undefined) sourceOf[row - 1] = from
    else if (wasWritten(key)) sourceOf[row - 1] = MISSING
  }
  const added: number[] = []
  for (const [key, [row = 0, ...others]] of sources.rows)
    if (others.length === 0 && !targets.rows.has(key)) added.push(row)
  return { sourceOf, added, bad }
}

/** Matches rows that are only added: those of the source whose key the target does not have. */
export function matchAppended(source: RowKeys, target: RowKeys): Matching {
  const held = new Set(target)
  const sources = indexOf(source)
  const added: number[] = []
  for (const [key, [row = 0, ...others]] of sources.rows)
    if (others.length === 0 && !held.has(key)) added.push(row)
  return { sourceOf: new Int32Array(target.length), added, bad: [...badKeys('source', sources)] }
}

type Index = { rows: Map<string, number[]>; blank: number[] }

function indexOf(keys: RowKeys): Index {
  const rows = new Map<string, number[]>()
  const blank: number[] = []
  for (const [index, key] of keys.entries()) {
    if (key === undefined) continue
    if (key === null) {
      blank.push(index + 1)
      continue
    }
    const known = rows.get(key)
    if (known) known.push(index + 1)
    else rows.set(key, [index + 1])
  }
  return { rows, blank }
}

function* badKeys(side: BadKey['side'], { rows, blank }: Index): Generator<BadKey> {
  if (blank.length > 0) yield { side, key: null, rows: blank }
  for (const [key, same] of rows) if (same.length > 1) yield { side, key, rows: same }
}
