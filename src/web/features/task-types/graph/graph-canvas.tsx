import { ControlButton, Controls, ReactFlow, useReactFlow, useStore, ViewportPortal } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { IconMaximize } from '@tabler/icons-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { messages } from '../../../../contract/page-messages.ts'
import { Arrows } from './arrows.tsx'
import classes from './graph-picture.module.css'
import { Highlight, HighlightContext, useHighlight } from './highlight.ts'
import { type Layout, NODE } from './layout.ts'
import { type Direction, nearest, pathOf } from './paths.ts'
import { type CardNode, TypeCard } from './type-card.tsx'
import { categoryWords } from './type-words.ts'
import type { ShownGraph } from './whole-graph.ts'

const nodeTypes = { card: TypeCard }
// Below it, cards are too small for more than a name.
const FAR = 0.5
const NEAREST = 1.4
// Around the cards, for the edges of lanes.
const MARGIN = 44

const directions: Partial<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

type Props = {
  layout: Layout
  /** Ranks go from top to bottom. */
  down: boolean
  graph: ShownGraph
  selected: number | null
  onSelect: (id: number | null) => void
}

/** The picture itself: moved and zoomed by pointer, walked by arrow keys. */
export function GraphCanvas({ layout, down, graph, selected, onSelect }: Props) {
  const [highlight] = useState(() => new Highlight())
  const flow = useReactFlow()
  const far = useStore(({ transform: [, , zoom] }) => zoom < FAR)
  const nodes = useCardNodes(layout, graph)
  const { edges } = graph
  const path = (id: number | null) => (id === null ? null : pathOf(id, edges))
  useEffect(() => {
    const entry = selected ?? highlight.shown.entry ?? layout.places[0]?.id ?? null
    highlight.show({ selected, entry, path: selected === null ? null : pathOf(selected, edges) })
  }, [highlight, selected, edges, layout])

  const fit = () => {
    const { width, height } = layout
    const whole = { x: -MARGIN, y: -MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }
    void flow.fitBounds(whole, { padding: 0 })
  }
  // While it moves, it is moved as one picture, and no card that passes below the pointer lights up.
  const canvas = useRef<HTMLDivElement>(null)
  const isMoving = () => canvas.current?.hasAttribute('data-moving') === true
  const cardAt = (target: EventTarget) => {
    const id = target instanceof Element ? target.closest('[data-type]')?.getAttribute('data-type') : null
    return id ? Number(id) : null
  }
  const walk = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    const from = layout.places.find(({ id }) => id === cardAt(event.target))
    const next = direction && from && nearest(layout.places, from, direction)
    if (!next) return
    event.preventDefault()
    void flow.setCenter(next.x + NODE.width / 2, next.y + NODE.height / 2, {
      zoom: Math.max(flow.getZoom(), FAR),
    })
    event.currentTarget.querySelector<HTMLElement>(`[data-type="${next.id}"]`)?.focus({ preventScroll: true })
  }
  return (
    <HighlightContext value={highlight}>
      <Dimmed
        ref={canvas}
        far={far}
        onKeyDown={walk}
        onFocus={({ target }) => {
          const id = cardAt(target)
          highlight.show({ path: path(id ?? selected), ...(id !== null && { entry: id }) })
        }}
        onBlur={() => highlight.show({ path: path(selected) })}
        onMouseOver={({ target }) => {
          if (!isMoving()) highlight.show({ path: path(cardAt(target) ?? selected) })
        }}
        onMouseLeave={() => highlight.show({ path: path(selected) })}
      >
        <ReactFlow
          nodes={nodes}
          nodeTypes={nodeTypes}
          aria-label={messages.dependency_graph}
          onInit={fit}
          onMoveStart={() => canvas.current?.setAttribute('data-moving', '')}
          onMoveEnd={() => canvas.current?.removeAttribute('data-moving')}
          minZoom={0.04}
          maxZoom={NEAREST}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          deleteKeyCode={null}
          disableKeyboardA11y
          proOptions={{ hideAttribution: true }}
          onNodeClick={(_, { data }) => onSelect(data.node.id)}
          onPaneClick={() => onSelect(null)}
        >
          <ViewportPortal>
            {layout.lanes.map(({ task_category, x, y, width, height }) => (
              <div
                key={`${task_category} ${x} ${y}`}
                className={classes.lane}
                data-category={task_category}
                data-down={down}
                style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
              >
                {categoryWords[task_category].label}
              </div>
            ))}
            <Arrows layout={layout} graph={graph} down={down} />
          </ViewportPortal>
          <Controls showInteractive={false} showFitView={false} position="bottom-left">
            <ControlButton title="Fit to window" aria-label="Fit to window" onClick={fit}>
              <IconMaximize size={16} aria-hidden />
            </ControlButton>
          </Controls>
        </ReactFlow>
      </Dimmed>
    </HighlightContext>
  )
}

// What is not on the lit path steps back by one attribute.
function Dimmed({ far, ...props }: ComponentProps<'div'> & { far: boolean }) {
  const dims = useHighlight(({ path }) => path !== null)
  return <div className={classes.canvas} data-far={far} {...(dims && { 'data-dims': '' })} {...props} />
}

/** The cards, each the same object as long as neither its type nor its place changes: React Flow draws only what is another one. */
function useCardNodes(layout: Layout, { nodes, edges }: ShownGraph): CardNode[] {
  const [drawn] = useState(() => new Map<number, CardNode>())
  return useMemo(() => {
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const following = Map.groupBy(edges, ({ from }) => from)
    return layout.places.flatMap((place): CardNode[] => {
      const node = byId.get(place.id)
      if (!node) return []
      const dependents = following.get(place.id)?.length ?? 0
      const before = drawn.get(place.id)
      if (before && before.data.node === node && before.data.place === place) return [before]
      const card: CardNode = {
        id: String(place.id),
        type: 'card',
        position: place,
        ...NODE,
        measured: NODE,
        data: { node, dependents, place },
      }
      drawn.set(place.id, card)
      return [card]
    })
  }, [layout, nodes, edges, drawn])
}
