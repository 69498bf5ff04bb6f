import { expect, test } from 'vitest'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { layOut, NODE } from './layout.ts'
import { type GraphEdge, type GraphNode, ranksOf } from './ranks.ts'

const nodes = (...categories: TaskCategory[]): GraphNode[] =>
  categories.map((task_category, index) => ({ id: index + 1, task_category }))
const edges = (...pairs: [number, number][]): GraphEdge[] => pairs.map(([from, to]) => ({ from, to }))
const rank = (given: GraphNode[], arrows: GraphEdge[]) => {
  const { rankOf } = ranksOf(given, arrows)
  return given.map(({ id }) => rankOf.get(id))
}

test('the rank of a type is the lowest one after all its prerequisites', () => {
  const four = nodes('sync', 'sync', 'sync', 'sync', 'sync')
  expect(rank(four, edges([1, 2], [2, 3], [1, 3], [4, 3]))).toEqual([0, 1, 2, 0, 0])
})

test('source, compiler and sync types have separate consecutive lanes, also without edges between them', () => {
  const pipeline = nodes('source', 'source', 'compiler', 'sync', 'sync')
  expect(rank(pipeline, edges([1, 2], [4, 5]))).toEqual([0, 1, 2, 3, 4])
  expect(ranksOf(pipeline, edges([1, 2], [4, 5])).lanes).toEqual([
    { task_category: 'source', first: 0, last: 1 },
    { task_category: 'compiler', first: 2, last: 2 },
    { task_category: 'sync', first: 3, last: 4 },
  ])
})

test('types without dependencies fill more ranks than rows from top to bottom, where fewer cards fit beside each other', () => {
  const alone = nodes(...Array.from({ length: 10 }, () => 'sync' as const))
  const across = (down: boolean) => {
    const { places } = layOut({ nodes: alone, edges: [], down })
    return new Set(places.map(({ x, y }) => (down ? x : y))).size
  }
  expect([across(true), across(false)]).toEqual([2, 4])
})

test('a source type that depends on a sync type is after it: edges take precedence over lanes', () => {
  expect(rank(nodes('source', 'sync', 'source'), edges([2, 3]))).toEqual([0, 1, 2])
})

test('one edge of a cycle points backwards, and all types are placed', () => {
  const cycle = edges([1, 2], [2, 3], [3, 1])
  expect(rank(nodes('sync', 'sync', 'sync'), cycle)).toEqual([0, 1, 2])
  const { places, arrows } = layOut({
    nodes: nodes('sync', 'sync', 'sync'),
    edges: cycle,
    down: false,
  })
  expect(places).toHaveLength(3)
  const back = arrows.find(({ from, to }) => from === 3 && to === 1)
  expect(back?.points.at(0)?.x).toBeGreaterThan(back?.points.at(-1)?.x ?? Number.NaN)
})

/** A random graph in which each type has up to two dependencies; deterministic by seed. */
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
      const { places, arrows } = layOut({ ...graph, down })
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

test('edges across a rank run straight between its types', () => {
  const graph = forest(60, 5)
  const { places, arrows } = layOut({ ...graph, down: false })
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

test('types without edges are in rows: 300 of them fill the viewport instead of a column', () => {
  const { width, height } = layOut({
    nodes: nodes(...Array<'sync'>(300).fill('sync')),
    edges: [],
    down: false,
  })
  expect(width / height).toBeGreaterThan(0.8)
  expect(width / height).toBeLessThan(3)
})

test('an empty graph has an empty layout', () => {
  expect(layOut({ nodes: [], edges: [], down: false })).toMatchObject({
    width: 0,
    places: [],
    arrows: [],
    lanes: [],
  })
})
