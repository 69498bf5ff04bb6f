import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { TypeEdge, TypeGraph, TypeNode } from '../../../../contract/type-graph/calls.ts'

/** Types and arrows between them; circles by their names, from the first name back to it. */
export type ShownGraph = { nodes: TypeNode[]; edges: TypeEdge[]; cycles: string[][] }

/** What is shown of a graph: the types of one category, or all. An arrow to a type that is not shown is left out. */
export function ofCategory(
  { nodes, edges, cycles }: TypeGraph,
  category: TaskCategory | undefined,
): ShownGraph {
  const shown = nodes.filter(({ task_category }) => category === undefined || task_category === category)
  const byId = new Map(shown.map((node) => [node.id, node]))
  return {
    nodes: shown,
    edges: edges.filter(({ from, to }) => byId.has(from) && byId.has(to)),
    cycles: cycles
      .filter((cycle) => cycle.some((id) => byId.has(id)))
      .map((cycle) =>
        [...cycle, ...cycle.slice(0, 1)].map((id) => nodes.find((node) => node.id === id)?.name ?? '?'),
      ),
  }
}
