import { expect, test } from 'vitest'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { layOut, NODE } from './layout.ts'
import { type GraphEdge, type GraphNode, ranksOf } from './ranks.ts'

const window = { width: 1200, height: 700 }
const nodes = (...categories: TaskCategory[]): GraphNode[] =>
  categories.map((task_category, index) => ({ id: index + 1, task_category }))
const edges = (...pairs: [number, number][]): GraphEdge[] => pairs.map(([from, to]) => ({ from, to }))
const rank = (given: GraphNode[], arrows: GraphEdge[]) => {
  const { rankOf } = ranksOf(given, arrows)
  return given.map(({ id }) => rankOf.get(id))
}

test('a type stands behind all that it waits for, as near to the beginning as it can', () => {
  const four = nodes('sync', 'sync', 'sync', 'sync', 'sync')
  expect(rank(four, edges([1, 2], [2, 3], [1, 3], [4, 3]))).toEqual([0, 1, 2, 0, 0])
})

test('source, compiler and sync types have lanes of their own, one after the other, also without arrows between them', () => {
  const pipeline = nodes('source', 'source', 'compiler', 'sync', 'sync')
  expect(rank(pipeline, edges([1, 2], [4, 5]))).toEqual([0, 1, 2, 3, 4])
  expect(ranksOf(pipeline, edges([1, 2], [4, 5])).lanes).toEqual([
    { task_category: 'source', first: 0, last: 1 },
    { task_category: 'compiler', first: 2, last: 2 },
    { task_category: 'sync', first: 3, last: 4 },
  ])
})

test('a source type that waits for a sync type stands behind it: arrows decide before lanes', () => {
  expect(rank(nodes('source', 'sync', 'source'), edges([2, 3]))).toEqual([0, 1, 2])
})

test('of a circle one arrow goes back, and everything is placed', () => {
  const circle = edges([1, 2], [2, 3], [3, 1])
  expect(rank(nodes('sync', 'sync', 'sync'), circle)).toEqual([0, 1, 2])
  const { places, arrows } = layOut({
    nodes: nodes('sync', 'sync', 'sync'),
    edges: circle,
    down: false,
    window,
  })
  expect(places).toHaveLength(3)
  const back = arrows.find(({ from, to }) => from === 3 && to === 1)
  expect(back?.points.at(0)?.x).toBeGreaterThan(back?.points.at(-1)?.x ?? Number.NaN)
})

/** Types that depend on up to two earlier ones, the same for the same seed. */
function forest(count: number, seed: number): { nodes: GraphNode[]; edges: GraphEdge[] } {
  let state = seed
  const upTo = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * (n + 1))
  }
  const given = nodes(
    ...Array.from({ length: count }, () => (['source', 'compiler', 'sync'] as const)[upTo(2)] ?? 'sync'),
  )
  const pairs = given.flatMap(({ id }) =>
    id === 1
      ? []
      : [...new Set(Array.from({ length: upTo(2) }, () => 1 + upTo(id - 2)))].map((from) => ({
          from,
          to: id,
        })),
  )
  return { nodes: given, edges: pairs }
}

const overlaps = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  Math.abs(a.x - b.x) < NODE.width && Math.abs(a.y - b.y) < NODE.height

test.each([1, 2, 3, 4])(
  'no type covers another one, and every arrow goes from its type to its type (forest %i)',
  (seed) => {
    for (const down of [false, true]) {
      const graph = forest(60, seed)
      const { places, arrows } = layOut({ ...graph, down, window })
      expect(places.map(({ id }) => id).sort((a, b) => a - b)).toEqual(graph.nodes.map(({ id }) => id))
      for (const [index, place] of places.entries())
        for (const other of places.slice(index + 1))
          expect([place, other, overlaps(place, other)]).toEqual([place, other, false])
      expect(arrows).toHaveLength(graph.edges.length)
      const at = new Map(places.map((place) => [place.id, place]))
      for (const { from, to, points } of arrows) {
        const [start, end] = [at.get(from), at.get(to)]
        const [leaving, entering] = down
          ? [
              { x: (start?.x ?? 0) + NODE.width / 2, y: (start?.y ?? 0) + NODE.height },
              { x: (end?.x ?? 0) + NODE.width / 2, y: end?.y },
            ]
          : [
              { x: (start?.x ?? 0) + NODE.width, y: (start?.y ?? 0) + NODE.height / 2 },
              { x: end?.x, y: (end?.y ?? 0) + NODE.height / 2 },
            ]
        expect([points.at(0), points.at(-1)]).toEqual([leaving, entering])
      }
    }
  },
)

test('arrows past a rank go straight between its types, not through them', () => {
  const graph = forest(60, 5)
  const { places, arrows } = layOut({ ...graph, down: false, window })
  for (const { points } of arrows)
    for (const point of points.slice(1, -1))
      for (const place of places) {
        const inside =
          point.x > place.x &&
          point.x < place.x + NODE.width &&
          point.y > place.y &&
          point.y < place.y + NODE.height
        expect(inside).toBe(false)
      }
})

test('what has no arrows stands in rows, and 300 types fill a window instead of a column', () => {
  const { width, height } = layOut({
    nodes: nodes(...Array<'sync'>(300).fill('sync')),
    edges: [],
    down: false,
    window,
  })
  expect(width / height).toBeGreaterThan(0.8)
  expect(width / height).toBeLessThan(3)
})

test('an empty graph is an empty picture', () => {
  expect(layOut({ nodes: [], edges: [], down: false, window })).toMatchObject({
    width: 0,
    places: [],
    arrows: [],
    lanes: [],
  })
})
