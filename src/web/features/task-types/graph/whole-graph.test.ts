import { expect, test } from 'vitest'
import { noTasks, type TypeGraph, type TypeNode } from '../../../../contract/type-graph/calls.ts'
import { spoken, summaryOf } from './type-labels.ts'
import { withStates } from './use-type-graph.ts'
import { ofCategory } from './whole-graph.ts'

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
const graph: TypeGraph = {
  nodes: [node(1, 'source'), node(2, 'source'), node(3, 'sync')],
  edges: [
    { from: 1, to: 2, condition: 'success' },
    { from: 2, to: 3, condition: 'completion' },
    { from: 3, to: 1, condition: 'success' },
  ],
  cycles: [[1, 2, 3]],
}

test('a newer state replaces its type; all other types keep their identity', () => {
  const state = { id: 2, counts: { ...noTasks, running: 1 }, ahead: [1], unmet: [], queue: [] }
  const { nodes } = withStates(graph, new Map([[2, state]]))
  expect(nodes[1]).toEqual({ ...graph.nodes[1], ...state })
  expect([nodes[0] === graph.nodes[0], nodes[2] === graph.nodes[2]]).toEqual([true, true])
})

test('the graph of one category has its types and edges, and all cycles through it', () => {
  const { nodes, edges, cycles } = ofCategory(graph, 'source')
  expect(nodes.map(({ id }) => id)).toEqual([1, 2])
  expect(edges).toEqual([{ from: 1, to: 2, condition: 'success' }])
  expect(cycles).toEqual([['Type 1', 'Type 2', 'Type 3', 'Type 1']])
  expect(ofCategory(graph, 'compiler').cycles).toEqual([])
  expect(ofCategory(graph, undefined).edges).toEqual(graph.edges)
})

test.each([
  [{}, 'neutral', 'No tasks'],
  [{ success: 3 }, 'success', '3 Success'],
  [{ success: 3, running: 1 }, 'running', '1 In Progress · 3 Success'],
  [{ success: 3, failed: 2, queued: 4 }, 'info', '4 Queued · 2 Failed · 3 more'],
  [{ warning: 1, never_run: 2 }, 'warning', '1 Warning · 2 Pending'],
] as const)('what is under way colours a type, then what is to be looked at: %o', (counts, tone, text) => {
  expect(summaryOf(node(1, 'sync', counts))).toEqual({ tone, text })
})

test('the description of a card has name, category, state and number of dependents', () => {
  expect(spoken({ ...node(1, 'source', { error: 1 }), is_active: false }, 2)).toBe(
    'Type 1, Source, 1 Error, 2 dependent types, Inactive',
  )
})
