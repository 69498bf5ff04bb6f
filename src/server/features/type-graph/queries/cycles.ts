type Edge = { from: number; to: number }

/**
 * The circles that a walk along the arrows runs into, each from the first of its nodes that was met. Empty if there are
 * none; of circles that share nodes not every one is found.
 */
export function findCycles(edges: readonly Edge[]): number[][] {
  const following = Map.groupBy(edges, ({ from }) => from)
  const cycles: number[][] = []
  const seen = new Set<number>()
  for (const start of following.keys()) {
    // A stack of its own: a chain may be longer than calls nest.
    const path = new Set<number>()
    const walked: number[] = []
    const left: number[][] = [[start]]
    for (let next = left.at(-1); next; next = left.at(-1)) {
      const node = next.pop()
      if (node === undefined) {
        left.pop()
        path.delete(walked.pop() ?? 0)
      } else if (path.has(node)) {
        cycles.push(walked.slice(walked.indexOf(node)))
      } else if (!seen.has(node)) {
        seen.add(node)
        path.add(node)
        walked.push(node)
        left.push((following.get(node) ?? []).map(({ to }) => to))
      }
    }
  }
  return cycles
}
