import type { GraphEdge } from './ranks.ts'

/** A node with all its direct and indirect prerequisites and dependents. */
export type Path = { id: number; nodes: ReadonlySet<number>; edges: ReadonlySet<GraphEdge> }

export function pathOf(id: number, edges: readonly GraphEdge[]): Path {
  const nodes = new Set([id])
  const passed = new Set<GraphEdge>()
  for (const [end, other] of [
    ['from', 'to'],
    ['to', 'from'],
  ] as const) {
    const next = Map.groupBy(edges, (edge) => edge[end])
    const reached = [id]
    const seen = new Set(reached)
    for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
      for (const edge of next.get(at) ?? []) {
        passed.add(edge)
        nodes.add(edge[other])
        if (seen.has(edge[other])) continue
        seen.add(edge[other])
        reached.push(edge[other])
      }
    }
  }
  return { id, nodes, edges: passed }
}

export type Direction = 'left' | 'right' | 'up' | 'down'
type Place = { id: number; x: number; y: number }

const along: Record<Direction, (from: Place, to: Place) => { ahead: number; aside: number }> = {
  left: (from, to) => ({ ahead: from.x - to.x, aside: Math.abs(from.y - to.y) }),
  right: (from, to) => ({ ahead: to.x - from.x, aside: Math.abs(from.y - to.y) }),
  up: (from, to) => ({ ahead: from.y - to.y, aside: Math.abs(from.x - to.x) }),
  down: (from, to) => ({ ahead: to.y - from.y, aside: Math.abs(from.x - to.x) }),
}

/** The node that an arrow key moves to: the nearest in that direction; nodes straight ahead win. */
export function nearest(places: readonly Place[], from: Place, direction: Direction): Place | null {
  let best: { place: Place; distance: number } | null = null
  for (const place of places) {
    const { ahead, aside } = along[direction](from, place)
    const distance = ahead + 2 * aside
    if (ahead > 0 && (best === null || distance < best.distance)) best = { place, distance }
  }
  return best?.place ?? null
}
