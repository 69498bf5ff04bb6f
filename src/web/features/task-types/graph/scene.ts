import type { DependencyCondition, TaskCategory } from '../../../../contract/tasks/schemas.ts'
import type { TypeEdge } from '../../../../contract/type-graph/calls.ts'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { Layout, Point } from './layout.ts'
import { categoryLabels, countsOf, spoken, summaryOf } from './type-labels.ts'
import type { FoldedGraph } from './whole-graph.ts'

/** A drawn type; `x` and `y` are its top left corner. */
export type Card = Point & {
  id: number
  name: string
  category: TaskCategory
  label: string
  tone: Tone
  text: string
  dependents: number
  is_active: boolean
  /** Stands for several types. */
  is_group: boolean
  spoken: string
}

export type Arrow = { points: readonly Point[]; condition: DependencyCondition; edge: TypeEdge }

/** All drawn elements with their positions. */
export type Scene = { cards: Card[]; arrows: Arrow[]; lanes: Layout['lanes']; down: boolean }

/** The drawn graph at the positions of its layout. */
export function sceneOf(layout: Layout, { nodes, edges, sizes }: FoldedGraph, down: boolean): Scene {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const following = Map.groupBy(edges, ({ from }) => from)
  const byEnds = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]))
  return {
    cards: layout.places.flatMap(({ id, x, y }): Card[] => {
      const node = byId.get(id)
      if (!node) return []
      const { name, task_category: category, is_active } = node
      const dependents = following.get(id)?.length ?? 0
      const types = sizes.get(id) ?? 0
      const { label: one } = categoryLabels[category]
      const label = types > 0 ? graphMessages.group_label(one, types) : one
      const said = {
        tone: summaryOf(node).tone,
        text: countsOf(node),
        spoken: [spoken(node, dependents), ...(types > 0 ? [graphMessages.unfolds(types)] : [])].join(', '),
      }
      return [{ id, x, y, name, category, label, is_active, dependents, is_group: types > 0, ...said }]
    }),
    arrows: layout.arrows.flatMap(({ from, to, points }): Arrow[] => {
      const edge = byEnds.get(`${from} ${to}`)
      return edge ? [{ points, condition: edge.condition, edge }] : []
    }),
    lanes: layout.lanes,
    down,
  }
}
