import type { Node, NodeProps } from '@xyflow/react'
import type { TypeNode } from '../../../../contract/type-graph.ts'
import { useHighlight } from './highlight.ts'
import type { Layout } from './layout.ts'
import classes from './type-card.module.css'
import { categoryWords, spoken, summaryOf } from './type-words.ts'

/** A node of the picture. `place` is the layout's own object. */
export type CardNode = Node<{ node: TypeNode; dependents: number; place: Layout['places'][number] }, 'card'>

/** A type in the picture. */
export function TypeCard({ data: { node, dependents } }: NodeProps<CardNode>) {
  const lit = useHighlight(({ path }) => path?.nodes.has(node.id) ?? false)
  const selected = useHighlight((shown) => shown.selected === node.id)
  const entry = useHighlight((shown) => shown.entry === node.id)
  const { label, icon: Icon } = categoryWords[node.task_category]
  const { tone, text } = summaryOf(node)
  return (
    <button
      type="button"
      className={classes.card}
      data-type={node.id}
      data-category={node.task_category}
      data-tone={tone}
      data-lit={lit}
      data-active={node.is_active}
      aria-pressed={selected}
      aria-label={spoken(node, dependents)}
      title={node.name}
      tabIndex={entry ? 0 : -1}
    >
      {/* in the order of the label, for those who speak what they read; the grid places them */}
      <span className={classes.name}>{node.name}</span>{' '}
      <span className={classes.category}>
        <Icon size={13} aria-hidden />
        {label}
      </span>{' '}
      <span className={classes.state}>{text}</span>{' '}
      {dependents > 0 && <span className={classes.dependents}>{dependents}</span>}
    </button>
  )
}
