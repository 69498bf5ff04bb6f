import { type Block, blocksOf, type Sizes } from './blocks.ts'
import { type GraphEdge, type GraphNode, ranksOf } from './ranks.ts'

type Size = { width: number; height: number }
export type Point = { x: number; y: number }

/** What is to be drawn, and the window that the picture is to fill, in pixels. `down`: ranks go from top to bottom. */
export type LayoutRequest = { nodes: GraphNode[]; edges: GraphEdge[]; down: boolean; window: Size }

/** The picture, in pixels: upper left corners of nodes, the points of arrows, and the lanes of a pipeline (none for one category). */
export type Layout = Size & {
  places: (Point & { id: number })[]
  arrows: { from: number; to: number; points: Point[] }[]
  lanes: (Point & Size & { task_category: GraphNode['task_category'] })[]
}

export const NODE: Size = { width: 176, height: 80 }
const GAP_ALONG = 56
const GAP_ACROSS = 20
const BAND_GAP = 80
const LANE_HEAD = 36
const LANE_MARGIN = GAP_ALONG / 2 - 5
const MOST_BANDS = 12

/** A spot by its rank, and how far from the edge of its block. */
type Spot = { rank: number; across: number }

/**
 * Layers from left to right (or down): each connected part by itself, one beneath the other, in as many bands as show the picture
 * largest.
 */
export function layOut({ nodes, edges, down, window }: LayoutRequest): Layout {
  const { width, height } = window
  const sizes: Sizes = down
    ? { along: NODE.height, across: NODE.width, gap: GAP_ACROSS }
    : { along: NODE.width, across: NODE.height, gap: GAP_ACROSS }
  const room = down ? { along: height, across: width } : { along: width, across: height }
  const step = sizes.along + GAP_ALONG
  const ranks = ranksOf(nodes, edges)
  const lanes = ranks.lanes.length > 1 ? ranks.lanes : []
  const head = lanes.length > 0 ? LANE_HEAD : 0
  const band = Math.max(0, ...ranks.rankOf.values()) * step + sizes.along
  const bands = bestBands(blocksOf(nodes, edges, ranks, sizes), { band, head, room })
  const across = head + Math.max(0, ...bands.map(extentOf))

  // Whichever way the picture goes, it is laid out along the ranks and across them, and turned at last.
  const point = (along: number, across: number): Point =>
    down ? { x: across, y: along } : { x: along, y: across }
  const size = (along: number, across: number): Size =>
    down ? { width: across, height: along } : { width: along, height: across }

  const picture: Layout = {
    ...size(bandsExtent(bands.length, band), across),
    places: [],
    arrows: [],
    lanes: [],
  }
  for (const [index, blocks] of bands.entries()) {
    const start = index * (band + BAND_GAP)
    for (const { task_category, first, last } of lanes)
      picture.lanes.push({
        task_category,
        ...point(start + first * step - LANE_MARGIN, -LANE_MARGIN / 2),
        ...size((last - first) * step + sizes.along + 2 * LANE_MARGIN, across + LANE_MARGIN),
      })
    let top = head
    for (const { places, ways, across } of blocks) {
      const spots = new Map(places.map((place) => [place.id, place]))
      for (const { id, rank, across: beside } of places)
        picture.places.push({ id, ...point(start + rank * step, top + beside) })
      for (const { from, to, passed } of ways) {
        const [begin, end] = [spots.get(from), spots.get(to)]
        if (begin === undefined || end === undefined) continue
        const points = wayPoints({ begin, passed, end }, { step, ...sizes })
        picture.arrows.push({
          from,
          to,
          points: points.map(([along, beside]) => point(start + along, top + beside)),
        })
      }
      top += across + GAP_ACROSS
    }
  }
  return picture
}

/** From the middle of one side to the middle of another; straight on past each rank in between. */
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

const bandsExtent = (count: number, band: number) => Math.max(0, count * (band + BAND_GAP) - BAND_GAP)

type Frame = { band: number; head: number; room: { along: number; across: number } }

function bestBands(blocks: readonly Block[], { band, head, room }: Frame): Block[][] {
  let best: { bands: Block[][]; scale: number } = { bands: [], scale: 0 }
  for (let count = 1; count <= MOST_BANDS && blocks.length > 0; count += 1) {
    const bands = inBands(blocks, count)
    const across = head + Math.max(...bands.map(extentOf))
    const scale = Math.min(room.along / bandsExtent(bands.length, band), room.across / across)
    if (scale > best.scale) best = { bands, scale }
  }
  return best.bands
}

function inBands(blocks: readonly Block[], count: number): Block[][] {
  const share = extentOf(blocks) / count
  const bands: Block[][] = [[]]
  let filled = 0
  for (const block of blocks) {
    if (filled > 0 && filled + block.across / 2 > share * bands.length) bands.push([])
    bands.at(-1)?.push(block)
    filled += block.across + GAP_ACROSS
  }
  return bands
}
