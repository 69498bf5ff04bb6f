type Edge = { from: number; to: number }

/**
 * Finds cycles by depth-first search, each starting at its first visited node. If cycles share nodes, not every cycle is returned.
 */
export function findCycles(edges: readonly Edge[]): number[][] {
  const following = Map.groupBy(edges, ({ from }) => from)
  const cycles: number[][] = []
  const seen = new Set<number>()
  for (const start of following.keys()) {
    // Explicit stack, because chains may exceed the call stack.
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
