import { Graph, layout } from '@dagrejs/dagre'
import type { GraphEdge, GraphNode, Lane, Ranks } from './ranks.ts'

/** Node size along and across the ranks, and the gap between nodes across, in pixels. */
export type Sizes = { along: number; across: number; gap: number }

/**
 * A connected component, or a row of nodes without edges. `across` is relative to the block's own edge, in pixels; an edge has one
 * point per rank that it crosses.
 */
export type Block = {
  across: number
  places: { id: number; rank: number; across: number }[]
  ways: { from: number; to: number; passed: { rank: number; across: number }[] }[]
}

/** Connected components, largest first, then rows of nodes without edges, each in the lane of its category. */
export function blocksOf(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  ranks: Ranks,
  sizes: Sizes,
): Block[] {
  const parts = connectedParts(nodes, edges)
  const joined = parts.filter((part) => part.length > 1).sort((a, b) => b.length - a.length)
  const alone = new Set(parts.filter((part) => part.length === 1).flat())
  const partOf = new Map(joined.flatMap((part) => part.map((id) => [id, part] as const)))
  const within = Map.groupBy(edges, ({ from }) => partOf.get(from))
  return [
    ...joined.map((part) => orderedBlock(part, within.get(part) ?? [], ranks, sizes)),
    ...rowsOf(
      nodes.filter(({ id }) => alone.has(id)),
      ranks.lanes,
      sizes,
    ),
  ]
}

/** Ids of the nodes of each connected component. */
export function connectedParts(
  nodes: readonly Pick<GraphNode, 'id'>[],
  edges: readonly GraphEdge[],
): number[][] {
  const neighbours = new Map<number, number[]>(nodes.map(({ id }) => [id, []]))
  for (const { from, to } of edges) {
    neighbours.get(from)?.push(to)
    neighbours.get(to)?.push(from)
  }
  const seen = new Set<number>()
  return nodes.flatMap(({ id }) => {
    if (seen.has(id)) return []
    const part: number[] = []
    const reached = [id]
    seen.add(id)
    for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
      part.push(at)
      for (const other of neighbours.get(at) ?? []) {
        if (seen.has(other)) continue
        seen.add(other)
        reached.push(other)
      }
    }
    return [part]
  })
}

/** Orders the nodes within their ranks and routes edges past them, with dagre. */
function orderedBlock(
  ids: readonly number[],
  edges: readonly GraphEdge[],
  { rankOf, backward }: Pick<Ranks, 'rankOf' | 'backward'>,
  sizes: Sizes,
): Block {
  const rank = (id: number | string) => rankOf.get(Number(id)) ?? 0
  const graph = new Graph()
  graph.setGraph({
    // the orientation is applied afterwards
    rankdir: 'LR',
    nodesep: sizes.gap,
    edgesep: sizes.gap,
    ranker: (ranked: Graph) => {
      // Consecutive ranks: dagre keeps a rank between two for edge labels, which would double its work. An edge between neighbouring
      // ranks then has a required point that is not used.
      for (const id of ranked.nodes()) ranked.node(id).rank = rank(id)
      for (const edge of ranked.edges()) ranked.edge(edge).points = [{ x: 0, y: 0 }]
    },
  })
  for (const id of ids) graph.setNode(String(id), { width: sizes.along, height: sizes.across })
  const forward = edges.map((edge) =>
    backward.has(edge) ? { edge, start: edge.to, end: edge.from } : { edge, start: edge.from, end: edge.to },
  )
  for (const { start, end } of forward) graph.setEdge(String(start), String(end), {})
  layout(graph)
  return {
    across: graph.graph().height,
    places: ids.map((id) => ({ id, rank: rank(id), across: graph.node(String(id)).y - sizes.across / 2 })),
    ways: forward.map(({ edge: { from, to }, start, end }) => {
      const points: { y: number }[] = graph.edge(String(start), String(end)).points
      const passed = Array.from({ length: rank(end) - rank(start) - 1 }, (_, n) => ({
        rank: rank(start) + n + 1,
        across: points[n + 1]?.y ?? 0,
      }))
      return { from, to, passed: start === from ? passed : passed.reverse() }
    }),
  }
}

function rowsOf(alone: readonly GraphNode[], lanes: readonly Lane[], { across }: Sizes): Block[] {
  const rows: Block[] = []
  for (const { task_category, first, last } of lanes) {
    const columns = last - first + 1
    const members = alone.filter((node) => node.task_category === task_category)
    for (const [index, { id }] of members.entries()) {
      const row = Math.floor(index / columns)
      rows[row] ??= { across, places: [], ways: [] }
      rows[row].places.push({ id, rank: first + (index % columns), across: 0 })
    }
  }
  return rows
}
