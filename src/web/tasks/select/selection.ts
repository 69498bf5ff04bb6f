/** Ids of the tasks from `from` to `to` in the order of the list, both included; only `to` if one of them is not listed. */
export function rangeOf(order: readonly number[], from: number | null, to: number): readonly number[] {
  const ends = [from === null ? -1 : order.indexOf(from), order.indexOf(to)]
  if (ends.includes(-1)) return [to]
  return order.slice(Math.min(...ends), Math.max(...ends) + 1)
}

/** The ids with some added or removed. */
export function withIds(
  selected: ReadonlySet<number>,
  ids: readonly number[],
  on: boolean,
): ReadonlySet<number> {
  const changed = new Set(selected)
  for (const id of ids) on ? changed.add(id) : changed.delete(id)
  return changed
}

/** State of a checkbox for several tasks: all, some or none of them are selected. */
export function stateOf(selected: ReadonlySet<number>, ids: readonly number[]): 'all' | 'some' | 'none' {
  const count = ids.reduce((sum, id) => sum + (selected.has(id) ? 1 : 0), 0)
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
}
