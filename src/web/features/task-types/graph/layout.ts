import { type Block, blocksOf, type Sizes } from './blocks.ts'
import { type GraphEdge, type GraphNode, ranksOf } from './ranks.ts'

type Size = { width: number; height: number }
export type Point = { x: number; y: number }

/** Input of a layout. `down`: ranks from top to bottom. */
export type LayoutRequest = { nodes: GraphNode[]; edges: GraphEdge[]; down: boolean }

/** Output of a layout, in pixels: top left corners of nodes, edge points, and lanes (none for a single category). */
export type Layout = Size & {
  places: (Point & { id: number })[]
  arrows: { from: number; to: number; points: Point[] }[]
  lanes: (Point & Size & { task_category: GraphNode['task_category'] })[]
}

export const NODE: Size = { width: 176, height: 80 }
const GAP_ALONG = 56
const GAP_ACROSS = 20
const LANE_HEAD = 36
const LANE_MARGIN = GAP_ALONG / 2 - 5

/** A position by rank, and pixels from the edge of the block. */
type Spot = { rank: number; across: number }

/**
 * Layered layout from left to right or top to bottom, in one set of lanes. Connected components are stacked.
 */
export function layOut({ nodes, edges, down }: LayoutRequest): Layout {
  const sizes: Sizes = down
    ? { along: NODE.height, across: NODE.width, gap: GAP_ACROSS }
    : { along: NODE.width, across: NODE.height, gap: GAP_ACROSS }
  const step = sizes.along + GAP_ALONG
  const ranks = ranksOf(nodes, edges, down)
  const lanes = ranks.lanes.length > 1 ? ranks.lanes : []
  const head = lanes.length > 0 ? LANE_HEAD : 0
  const length =
    Math.max(0, ...ranks.rankOf.values(), ...ranks.lanes.map(({ last }) => last)) * step + sizes.along
  const blocks = blocksOf(nodes, edges, ranks, sizes)
  const across = head + Math.max(0, extentOf(blocks))

  // The layout is computed along and across the ranks, and oriented here.
  const point = (along: number, across: number): Point =>
    down ? { x: across, y: along } : { x: along, y: across }
  const size = (along: number, across: number): Size =>
    down ? { width: across, height: along } : { width: along, height: across }

  const picture: Layout = {
    ...size(nodes.length > 0 ? length : 0, across),
    places: [],
    arrows: [],
    lanes: [],
  }
  for (const { task_category, first, last } of lanes)
    picture.lanes.push({
      task_category,
      ...point(first * step - LANE_MARGIN, -LANE_MARGIN / 2),
      ...size((last - first) * step + sizes.along + 2 * LANE_MARGIN, across + LANE_MARGIN),
    })
  let top = head
  for (const { places, ways, across } of blocks) {
    const spots = new Map(places.map((place) => [place.id, place]))
    for (const { id, rank, across: beside } of places)
      picture.places.push({ id, ...point(rank * step, top + beside) })
    for (const { from, to, passed } of ways) {
      const [begin, end] = [spots.get(from), spots.get(to)]
      if (begin === undefined || end === undefined) continue
      const points = wayPoints({ begin, passed, end }, { step, ...sizes })
      picture.arrows.push({ from, to, points: points.map(([along, beside]) => point(along, top + beside)) })
    }
    top += across + GAP_ACROSS
  }
  return picture
}

/** Points from the side of one node to the side of another, straight across each rank in between. */
function wayPoints(
  { begin, passed, end }: { begin: Spot; passed: Spot[]; end: Spot },
  { step, along, across }: Sizes & { step: number },
): [along: number, across: number][] {
  const forward = begin.rank < end.rank
  const entry = ({ rank }: Spot) => rank * step + (forward ? 0 : along)
  const exit = ({ rank }: Spot) => rank * step + (forward ? along : 0)
  return [
    [exit(begin), begin.across + across / 2],
    ...passed.flatMap((spot): [number, number][] => [
      [entry(spot), spot.across],
      [exit(spot), spot.across],
    ]),
    [entry(end), end.across + across / 2],
  ]
}

const extentOf = (blocks: readonly Block[]) =>
  blocks.reduce((sum, { across }) => sum + across + GAP_ACROSS, -GAP_ACROSS)
