import { expect, test } from 'vitest'
import { noTasks, type TypeEdge, type TypeNode } from '../../../../contract/type-graph/calls.ts'
import { type Branch, forestOf, visible } from './forest.ts'
import { nearest, pathOf } from './paths.ts'

const node = (id: number, name: string): TypeNode => ({
  id,
  name,
  task_category: 'sync',
  is_active: true,
  counts: noTasks,
  ahead: [],
  unmet: [],
  queue: [],
})
const nodes = [node(1, 'Shops'), node(2, 'Archive'), node(3, 'Prices'), node(4, 'Stock'), node(5, 'Reports')]
const edge = (from: number, to: number): TypeEdge => ({ from, to, condition: 'success' })

/** A forest as text: one indented line per type with its child count; "…" if its children are listed above. */
const drawn = (forest: Branch[]) =>
  visible(forest, new Set()).map(
    ({ node, level, children_count, is_repeated }) =>
      `${'  '.repeat(level - 1)}${node.name} ${children_count}${is_repeated ? ' …' : ''}`,
  )

test('the forest is sorted by name and each type has its child count', () => {
  expect(drawn(forestOf(nodes, [edge(3, 1), edge(3, 4), edge(1, 5)]))).toEqual([
    'Archive 0',
    'Prices 2',
    '  Shops 1',
    '    Reports 0',
    '  Stock 0',
  ])
})

test('roots are types with no dependency or whose dependency is unknown', () => {
  expect(drawn(forestOf(nodes.slice(0, 2), [edge(99, 1), edge(1, 2)]))).toEqual(['Shops 1', '  Archive 0'])
})

test('a type with several dependencies is below each of them; only its first occurrence has children', () => {
  expect(drawn(forestOf(nodes.slice(0, 4), [edge(3, 1), edge(4, 1), edge(1, 2)]))).toEqual([
    'Prices 1',
    '  Shops 1',
    '    Archive 0',
    'Stock 1',
    '  Shops 1 …',
  ])
})

test('a cycle without a root starts at its first type by name, and no type is missing', () => {
  expect(drawn(forestOf(nodes.slice(0, 3), [edge(1, 3), edge(3, 1)]))).toEqual([
    'Archive 0',
    'Prices 1',
    '  Shops 1',
    '    Prices 1 …',
  ])
})

test('nothing below a collapsed line is visible', () => {
  const forest = forestOf(nodes, [edge(3, 1), edge(1, 5)])
  const lines = visible(forest, new Set(['3.1'])).map((line) => line.node.name)
  expect(lines).toEqual(['Archive', 'Prices', 'Shops', 'Stock'])
})

test('the path of a node has its prerequisites and dependents, without siblings and other paths to the dependents', () => {
  const edges = [edge(1, 2), edge(2, 3), edge(1, 4), edge(4, 3), edge(3, 5)]
  const { nodes: lit, edges: passed } = pathOf(2, edges)
  expect([...lit].sort()).toEqual([1, 2, 3, 5])
  expect(edges.filter((one) => passed.has(one)).map(({ from, to }) => [from, to])).toEqual([
    [1, 2],
    [2, 3],
    [3, 5],
  ])
})

test('a path through a cycle terminates', () => {
  expect([...pathOf(1, [edge(1, 2), edge(2, 1)]).nodes].sort()).toEqual([1, 2])
})

test('an arrow key moves to the nearest node in that direction, straight ahead first', () => {
  const [here, far, aside, behind] = [
    { id: 1, x: 0, y: 0 },
    { id: 2, x: 500, y: 0 },
    { id: 3, x: 400, y: 300 },
    { id: 4, x: -100, y: 0 },
  ]
  const all = [here, far, aside, behind]
  expect(nearest(all, here, 'right')?.id).toBe(2)
  expect(nearest(all, here, 'down')?.id).toBe(3)
  expect(nearest(all, here, 'left')?.id).toBe(4)
  expect(nearest(all, here, 'up')).toBeNull()
})
