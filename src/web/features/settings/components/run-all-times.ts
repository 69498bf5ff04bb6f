/** Whether two lists hold other times; their order says nothing. */
export const differ = (a: readonly string[], b: readonly string[]) =>
  a.length !== b.length || a.some((time) => !b.includes(time))

/** The times of `theirs`, with what was added to and taken from `start` to make it `mine`; in order. */
export function joinTimes(
  start: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const added = mine.filter((time) => !start.includes(time))
  const kept = theirs.filter((time) => mine.includes(time) || !start.includes(time))
  return [...new Set([...kept, ...added])].sort()
}
