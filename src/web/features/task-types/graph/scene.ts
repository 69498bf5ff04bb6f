import type { DependencyCondition, TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { TypeEdge } from '../../../../contract/type-graph/calls.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { Layout, Point } from './layout.ts'
import { categoryLabels, spoken, summaryOf } from './type-labels.ts'
import type { ShownGraph } from './whole-graph.ts'

/** A type in the picture, with its upper left corner. */
export type Card = Point & {
  id: number
  name: string
  category: TaskCategory
  label: string
  tone: Tone
  text: string
  dependents: number
  is_active: boolean
  spoken: string
}

export type Arrow = { points: readonly Point[]; condition: DependencyCondition; edge: TypeEdge }

/** All that a picture shows, each thing at its place. */
export type Scene = { cards: Card[]; arrows: Arrow[]; lanes: Layout['lanes']; down: boolean }

export function sceneOf(layout: Layout, { nodes, edges }: ShownGraph, down: boolean): Scene {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const following = Map.groupBy(edges, ({ from }) => from)
  const byEnds = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]))
  return {
    cards: layout.places.flatMap(({ id, x, y }): Card[] => {
      const node = byId.get(id)
      if (!node) return []
      const { name, task_category: category, is_active } = node
      const dependents = following.get(id)?.length ?? 0
      const { label } = categoryLabels[category]
      const said = { ...summaryOf(node), spoken: spoken(node, dependents) }
      return [{ id, x, y, name, category, label, is_active, dependents, ...said }]
    }),
    arrows: layout.arrows.flatMap(({ from, to, points }): Arrow[] => {
      const edge = byEnds.get(`${from} ${to}`)
      return edge ? [{ points, condition: edge.condition, edge }] : []
    }),
    lanes: layout.lanes,
    down,
  }
}
