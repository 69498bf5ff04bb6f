/** Whether two lists contain different times, in any order. */
export const differ = (a: readonly string[], b: readonly string[]) =>
  a.length !== b.length || a.some((time) => !b.includes(time))

/** Three-way merge: applies the additions and removals from `start` to `mine` to `theirs`. Sorted. */
export function joinTimes(
  start: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const added = mine.filter((time) => !start.includes(time))
  const remaining = theirs.filter((time) => mine.includes(time) || !start.includes(time))
  return [...new Set([...remaining, ...added])].sort()
}
