import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'

export type GraphNode = { id: number; task_category: TaskCategory }
export type GraphEdge = { from: number; to: number }

/** Categories in the order of the data flow. */
const PIPELINE: readonly TaskCategory[] = ['source', 'compiler', 'sync']

// Nodes without edges fill a rectangle: so many of them across the ranks for each one along them. From top to bottom, in a window that
// is higher than wide, fewer cards fit across.
const ACROSS_PER_RANK = { right: 2, down: 0.4 }

/** A lane: the ranks of one category, from `first` to `last`. */
export type Lane = { task_category: TaskCategory; first: number; last: number }

export type Ranks = {
  rankOf: ReadonlyMap<number, number>
  lanes: Lane[]
  /** Edges that close a cycle; their arrows point backwards. */
  backward: ReadonlySet<GraphEdge>
}

/** Rank of each node, from 0: after all its prerequisites, and in its category’s lane or a later one. */
export function ranksOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[], down = false): Ranks {
  const backward = backEdges(nodes, edges)
  const forward = edges.filter((edge) => !backward.has(edge))
  const category = new Map(nodes.map((node) => [node.id, node.task_category]))
  const within = forward.filter(({ from, to }) => category.get(from) === category.get(to))
  const depth = longestPaths(nodes, within, () => 0)
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const lanes: Lane[] = []
  for (const task_category of PIPELINE) {
    const members = nodes.filter((node) => node.task_category === task_category)
    if (members.length === 0) continue
    const first = (lanes.at(-1)?.last ?? -1) + 1
    const alone = members.filter(({ id }) => !joined.has(id)).length
    lanes.push({
      task_category,
      first,
      last:
        first +
        Math.max(
          ...members.map(({ id }) => depth.get(id) ?? 0),
          Math.ceil(Math.sqrt(alone / ACROSS_PER_RANK[down ? 'down' : 'right'])) - 1,
        ),
    })
  }
  const start = new Map(lanes.map((lane) => [lane.task_category, lane.first]))
  const rankOf = longestPaths(nodes, forward, (node) => start.get(node.task_category) ?? 0)
  return { rankOf, lanes, backward }
}

/** Length of the longest path to each node, from its first possible rank. The graph must be acyclic. */
function longestPaths(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  begin: (node: GraphNode) => number,
): Map<number, number> {
  const following = Map.groupBy(edges, ({ from }) => from)
  const missing = new Map(nodes.map(({ id }) => [id, 0]))
  for (const { to } of edges) missing.set(to, (missing.get(to) ?? 0) + 1)
  const rankOf = new Map(nodes.map((node) => [node.id, begin(node)]))
  const free = nodes.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id)
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    for (const { to } of following.get(id) ?? []) {
      rankOf.set(to, Math.max(rankOf.get(to) ?? 0, (rankOf.get(id) ?? 0) + 1))
      const left = (missing.get(to) ?? 0) - 1
      missing.set(to, left)
      if (left === 0) free.push(to)
    }
  }
  return rankOf
}

/** Edges by which a depth-first search returns to its own path. */
function backEdges(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Set<GraphEdge> {
  const following = Map.groupBy(edges, ({ from }) => from)
  const back = new Set<GraphEdge>()
  const seen = new Set<number>()
  const path = new Set<number>()
  for (const { id: start } of nodes) {
    if (seen.has(start)) continue
    const steps = [{ id: start, left: [...(following.get(start) ?? [])] }]
    seen.add(start)
    path.add(start)
    for (let step = steps.at(-1); step; step = steps.at(-1)) {
      const edge = step.left.pop()
      if (edge === undefined) {
        path.delete(step.id)
        steps.pop()
      } else if (path.has(edge.to)) {
        back.add(edge)
      } else if (!seen.has(edge.to)) {
        seen.add(edge.to)
        path.add(edge.to)
        steps.push({ id: edge.to, left: [...(following.get(edge.to) ?? [])] })
      }
    }
  }
  return back
}
