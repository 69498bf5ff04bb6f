import { expect, test } from 'vitest'
import { noTasks, type TypeNode } from '../../../../contract/type-graph/calls.ts'
import { layOut } from './layout.ts'
import { foldGraph, foldingOf, keysAround, type ShownGraph } from './whole-graph.ts'

const node = (
  id: number,
  task_category: TypeNode['task_category'],
  counts: Partial<TypeNode['counts']> = {},
): TypeNode => ({
  id,
  name: `Type ${id}`,
  task_category,
  is_active: true,
  counts: { ...noTasks, ...counts },
  ahead: [],
  unmet: [],
  queue: [],
})
/** A type with one task that succeeded, and so many that failed. */
const settled = (id: number, task_category: TypeNode['task_category'], failed = 0) =>
  node(id, task_category, { success: 1, failed })
const edge = (from: number, to: number, condition: 'success' | 'completion' = 'completion') => ({
  from,
  to,
  condition,
})
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

// 100 chains of a source, a compiler and a sync type, and 10 source types alone
const chains = {
  nodes: [
    ...numbers(100).flatMap((n) => [
      settled(3 * n + 1, 'source', n === 7 ? 2 : 0),
      settled(3 * n + 2, 'compiler'),
      settled(3 * n + 3, 'sync'),
    ]),
    ...numbers(10).map((n) => settled(1000 + n, 'source')),
  ],
  edges: numbers(100).flatMap((n) => [edge(3 * n + 1, 3 * n + 2), edge(3 * n + 2, 3 * n + 3, 'success')]),
  cycles: [],
}

test('300 types in chains of the same shape are four cards, with the tasks of all their types', () => {
  const folded = foldGraph(chains, foldingOf(chains), new Set())
  expect(folded.nodes.map(({ name }) => name)).toEqual([
    'Type 1 and 99 more',
    'Type 2 and 99 more',
    'Type 3 and 99 more',
    'Type 1000 and 9 more',
  ])
  expect(folded.nodes[0]?.counts).toEqual({ ...noTasks, success: 100, failed: 2 })
  const [source, compiler, sync] = folded.nodes.map(({ id }) => id)
  expect(folded.edges).toEqual([
    { from: source, to: compiler, condition: 'completion' },
    { from: compiler, to: sync, condition: 'success' },
  ])
})

test('a group that is unfolded shows its types, with arrows to the groups that are not', () => {
  const folding = foldingOf(chains)
  const folded = foldGraph(chains, folding, new Set(keysAround(1, folding)))
  expect(folded.nodes).toHaveLength(100 + 3)
  expect(folded.edges).toHaveLength(100 + 1)
  expect(new Set(folded.edges.map(({ to }) => to)).size).toBe(2)
})

test('a connected part is folded by rank; few types of a rank, and a small graph, are not folded', () => {
  const wide = {
    nodes: [settled(1, 'source'), ...numbers(40).map((n) => settled(n + 2, 'sync'))],
    edges: numbers(40).map((n) => edge(1, n + 2)),
    cycles: [],
  }
  const folding = foldingOf(wide)
  expect(folding.places.map(({ members }) => members.length)).toEqual([40])
  expect(foldGraph(wide, folding, new Set()).nodes).toHaveLength(2)
  const small = { nodes: numbers(30).map((n) => settled(n + 1, 'sync')), edges: [], cycles: [] }
  expect(foldingOf(small)).toEqual({ chains: [], places: [] })
})

/** Chains of so many sync types each; the ids of chain n begin at 1000 n. */
const deep = (count: number, length: number): ShownGraph => ({
  nodes: numbers(count).flatMap((n) =>
    numbers(length).map((at) => settled(1000 * n + at, 'sync', at === 50 ? 1 : 0)),
  ),
  edges: numbers(count).flatMap((n) =>
    numbers(length - 1).map((at) => edge(1000 * n + at, 1000 * n + at + 1, 'success')),
  ),
  cycles: [],
})
const nothing = new Set<string>()

test('a long chain is its first type, one card for those in between, and its last type', () => {
  const three = deep(3, 100)
  const folding = foldingOf(three)
  const folded = foldGraph(three, folding, nothing)
  expect(folded.nodes).toHaveLength(9)
  const card = folded.nodes.find(({ name }) => name === '98 types from Type 1 to Type 98')
  expect(card?.counts).toEqual({ ...noTasks, success: 98, failed: 1 })
  expect(folded.sizes.get(card?.id ?? 0)).toBe(98)
  expect(folded.edges).toHaveLength(6)
  expect(folded.edges.slice(0, 2)).toEqual([
    { from: 0, to: card?.id, condition: 'success' },
    { from: card?.id, to: 99, condition: 'success' },
  ])
  for (const down of [false, true]) {
    const { width, height } = layOut({ ...folded, down })
    expect(Math.max(width, height)).toBeLessThan(700)
  }
})

test('a chain that is unfolded shows all its types; the other chains stay folded', () => {
  const three = deep(3, 100)
  const folding = foldingOf(three)
  expect(keysAround(0, folding)).toEqual([])
  const folded = foldGraph(three, folding, new Set(keysAround(1042, folding)))
  expect(folded.nodes).toHaveLength(100 + 2 * 3)
  expect(folded.edges).toHaveLength(99 + 2 * 2)
  expect([...folded.sizes.values()]).toEqual([98, 98])
})

test('many long chains are three cards; a chain comes out of its group alone, and the group without it', () => {
  const many = deep(50, 100)
  const folding = foldingOf(many)
  const folded = foldGraph(many, folding, nothing)
  expect(folded.nodes.map(({ name }) => name)).toEqual([
    'Type 0 and 49 more',
    '98 types from Type 1 to Type 98 and 49 more',
    'Type 99 and 49 more',
  ])
  expect(folded.nodes.map(({ id }) => folded.sizes.get(id))).toEqual([50, 50 * 98, 50])
  const out = foldGraph(many, folding, new Set(keysAround(42, folding)))
  expect(out.nodes.map(({ name }) => name)).toContain('98 types from Type 1001 to Type 1098 and 48 more')
  expect(out.nodes).toHaveLength(98 + 3)
  const all = foldGraph(many, folding, new Set([...folding.chains, ...folding.places].map(({ key }) => key)))
  expect(all.nodes).toEqual(many.nodes)
  expect(all.edges).toEqual(many.edges)
})

test('a chain ends where it branches, where another joins it, and where the category changes; a cycle is no chain', () => {
  const line = deep(1, 30)
  const branched = {
    ...line,
    nodes: [...line.nodes, settled(500, 'sync'), settled(501, 'source')],
    edges: [...line.edges, edge(14, 500), edge(501, 0)],
  }
  const lengths = (graph: ShownGraph) => foldingOf(graph).chains.map(({ members }) => members.length)
  expect(lengths(branched)).toEqual([13, 13])
  expect(lengths({ ...line, edges: [...line.edges, edge(29, 0)] })).toEqual([])
  expect(
    lengths({
      ...line,
      nodes: line.nodes.map((one) => (one.id < 3 ? { ...one, task_category: 'source' } : one)),
    }),
  ).toEqual([25])
  expect([lengths(deep(1, 7)), lengths(deep(1, 8))]).toEqual([[], [6]])
})
