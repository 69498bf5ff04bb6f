import { memo, useMemo } from 'react'
import { messages } from '../../../../contract/page-messages.ts'
import type { DependencyCondition } from '../../../../contract/tasks.ts'
import classes from './arrows.module.css'
import { useHighlight } from './highlight.ts'
import type { Layout, Point } from './layout.ts'
import type { ShownGraph } from './whole-graph.ts'

type Arrow = {
  key: string
  d: string
  middle: Point
  condition: DependencyCondition
  edge: ShownGraph['edges'][number]
}

/** A smooth way through points that leaves and enters along the ranks. */
function smooth(points: readonly Point[], down: boolean): string {
  const [start, ...rest] = points
  if (!start) return ''
  let at = start
  const parts = rest.map((point) => {
    const [x, y] = [(at.x + point.x) / 2, (at.y + point.y) / 2]
    const bend = down ? `${at.x} ${y} ${point.x} ${y}` : `${x} ${at.y} ${x} ${point.y}`
    at = point
    return `C ${bend} ${point.x} ${point.y}`
  })
  return `M ${start.x} ${start.y} ${parts.join(' ')}`
}

type Props = { layout: Layout; graph: ShownGraph; down: boolean }

/** All arrows; the lit ones once more above them, with their conditions in words. */
export const Arrows = memo(function Arrows({ layout, graph, down }: Props) {
  const arrows = useMemo(() => {
    const edges = new Map(graph.edges.map((edge) => [`${edge.from} ${edge.to}`, edge]))
    return layout.arrows.flatMap(({ from, to, points }): Arrow[] => {
      const key = `${from} ${to}`
      const edge = edges.get(key)
      const [first, second = first] = points
      if (!edge || !first || !second) return []
      const middle = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 }
      return [{ key, d: smooth(points, down), middle, condition: edge.condition, edge }]
    })
  }, [layout, graph.edges, down])
  return (
    <svg className={classes.arrows} width={layout.width} height={layout.height} aria-hidden>
      <title>{messages.graph_explained}</title>
      <defs>
        {(['head', 'lit-head'] as const).map((id) => (
          <marker
            key={id}
            id={id}
            className={classes[id]}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M 0 0 L 10 5 L 0 10 z" />
          </marker>
        ))}
      </defs>
      <g className={classes.all}>
        {arrows.map(({ key, d, condition }) => (
          <path key={key} d={d} data-arrow={key} data-condition={condition} markerEnd="url(#head)" />
        ))}
      </g>
      <LitArrows arrows={arrows} />
    </svg>
  )
})

function LitArrows({ arrows }: { arrows: readonly Arrow[] }) {
  const path = useHighlight((shown) => shown.path)
  if (path === null) return null
  const lit = arrows.filter(({ edge }) => path.edges.has(edge))
  return (
    <g className={classes.lit}>
      {lit.map(({ key, d, condition }) => (
        <path key={key} d={d} data-condition={condition} markerEnd="url(#lit-head)" />
      ))}
      {lit
        .filter(({ edge }) => edge.from === path.id || edge.to === path.id)
        .map(({ key, middle, condition }) => (
          <text key={key} {...middle} dy="-5">
            {messages.condition_word[condition]}
          </text>
        ))}
    </g>
  )
}
