import type { DependencyCondition } from '../../../../contract/tasks/schemas.ts'
import type { TypeEdge, TypeNode } from '../../../../contract/type-graph/calls.ts'
import { byName } from '../../../lib/by-name.ts'

/** A node of the forest: a root, or a type below one of its prerequisites. A type with several prerequisites occurs once below each. */
export type Branch = {
  /** Path of ids from the root. */
  key: string
  node: TypeNode
  level: number
  /** Condition on the parent; null for roots. */
  condition: DependencyCondition | null
  /** Number of types that depend on it. */
  children_count: number
  /** Only the first occurrence of a type lists its children. */
  children: Branch[]
  is_repeated: boolean
}

/**
 * Types as a forest, sorted by name. Roots depend on none of these types. A cycle without a root is last, starting at its first type
 * by name.
 */
export function forestOf(nodes: readonly TypeNode[], edges: readonly TypeEdge[]): Branch[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const known = edges.filter(({ from, to }) => byId.has(from) && byId.has(to))
  const below = Map.groupBy(known, ({ from }) => from)
  const dependent = new Set(known.map(({ to }) => to))
  const sorted = nodes.toSorted((a, b) => byName(a.name, b.name) || a.id - b.id)
  const spread = new Set<number>()

  function branch(node: TypeNode, above: Branch | null, condition: DependencyCondition | null): Branch {
    const following = below.get(node.id) ?? []
    const is_repeated = spread.has(node.id)
    const self: Branch = {
      key: above ? `${above.key}.${node.id}` : String(node.id),
      node,
      level: (above?.level ?? 0) + 1,
      condition,
      children_count: following.length,
      children: [],
      is_repeated,
    }
    if (is_repeated) return self
    spread.add(node.id)
    self.children = following
      .flatMap((edge) => {
        const child = byId.get(edge.to)
        return child ? [{ child, condition: edge.condition }] : []
      })
      .sort((a, b) => byName(a.child.name, b.child.name) || a.child.id - b.child.id)
      .map((one) => branch(one.child, self, one.condition))
    return self
  }

  const roots = sorted.filter(({ id }) => !dependent.has(id)).map((node) => branch(node, null, null))
  for (const node of sorted) if (!spread.has(node.id)) roots.push(branch(node, null, null))
  return roots
}

/** Visible nodes in order: all except those below a collapsed one. */
export const visible = (forest: readonly Branch[], closed: ReadonlySet<string>): Branch[] =>
  forest.flatMap((one) => [one, ...(closed.has(one.key) ? [] : visible(one.children, closed))])
