import {
  ControlButton,
  Controls,
  getViewportForBounds,
  ReactFlow,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import '@xyflow/react/dist/base.css'
import { IconMaximize } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'

import classes from './graph-picture.module.css'
import { type Layout, NODE } from './layout.ts'
import { FAR } from './paint.ts'
import { PaintedPicture } from './painted-picture.tsx'
import { type Direction, nearest, pathOf } from './paths.ts'
import { sceneOf } from './scene.ts'
import { TypeButtons } from './type-buttons.tsx'
import type { ShownGraph } from './whole-graph.ts'

const FARTHEST = 0.04
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
  /** What the picture is shown in, in pixels. */
  window: { width: number; height: number }
  /** Ranks go from top to bottom. */
  down: boolean
  graph: ShownGraph
  selected: number | null
  onSelect: (id: number | null) => void
}

/** The picture itself: moved and zoomed by pointer, walked by arrow keys. */
export function GraphCanvas({ layout, window, down, graph, selected, onSelect }: Props) {
  const flow = useReactFlow()
  const scene = useMemo(() => sceneOf(layout, graph, down), [layout, graph, down])
  const { edges } = graph
  // The card below the pointer or with the focus; the one that had the focus last.
  const [pointed, setPointed] = useState<number | null>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const lit = pointed ?? selected
  const path = useMemo(() => (lit === null ? null : pathOf(lit, edges)), [lit, edges])

  const whole = {
    x: -MARGIN,
    y: -MARGIN,
    width: layout.width + 2 * MARGIN,
    height: layout.height + 2 * MARGIN,
  }
  const fit = () => void flow.fitBounds(whole, { padding: 0 })
  // While it moves, no card that passes below the pointer lights up.
  const isMoving = useRef(false)
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
    <ReactFlow
      className={classes.canvas}
      onKeyDown={walk}
      onFocus={({ target }) => {
        const id = cardAt(target)
        setPointed(id)
        if (id !== null) setFocused(id)
      }}
      onBlur={() => setPointed(null)}
      onMouseOver={({ target }) => !isMoving.current && setPointed(cardAt(target))}
      onMouseLeave={() => setPointed(null)}
      onClick={({ target }) => {
        const id = cardAt(target)
        if (id !== null) onSelect(id)
      }}
      nodes={[]}
      aria-label={graphMessages.dependency_graph}
      defaultViewport={getViewportForBounds(whole, window.width, window.height, FARTHEST, NEAREST, 0)}
      onMoveStart={() => {
        isMoving.current = true
      }}
      onMoveEnd={() => {
        isMoving.current = false
      }}
      minZoom={FARTHEST}
      maxZoom={NEAREST}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      deleteKeyCode={null}
      disableKeyboardA11y
      proOptions={{ hideAttribution: true }}
      onPaneClick={() => onSelect(null)}
    >
      <ViewportPortal>
        <PaintedPicture scene={scene} path={path} selected={selected} />
        <TypeButtons
          cards={scene.cards}
          selected={selected}
          entry={selected ?? focused ?? layout.places[0]?.id ?? null}
        />
      </ViewportPortal>
      <Controls showInteractive={false} showFitView={false} position="bottom-left">
        <ControlButton title="Fit to window" aria-label="Fit to window" onClick={fit}>
          <IconMaximize size={16} aria-hidden />
        </ControlButton>
      </Controls>
    </ReactFlow>
  )
}
