import { getViewportForBounds, ReactFlow, useReactFlow, ViewportPortal } from '@xyflow/react'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import '@xyflow/react/dist/base.css'
import { ActionIcon } from '@mantine/core'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import classes from './graph-picture.module.css'
import { type Layout, NODE } from './layout.ts'
import { FAR } from './paint.ts'
import { PaintedPicture } from './painted-picture.tsx'
import { type Direction, nearest, pathOf } from './paths.ts'
import { sceneOf } from './scene.ts'
import { TypeButtons } from './type-buttons.tsx'
import type { FoldedGraph } from './whole-graph.ts'

const FARTHEST = 0.04
const NEAREST = 1.4
// Scale at which a card shows its state.
const READABLE = 0.75
// Scale from which the names on cards, 20 pixels high, can be read.
const LEGIBLE = 0.5
// Space around the cards for the edges of lanes.
const MARGIN = 44

/** A type that is brought to the middle of the picture; a new object does it again. */
export type Centre = { id: number }

/** Height of the bar with the buttons, in pixels; nothing of the picture is behind it. */
export const TOOLS_HEIGHT = 41

const directions: Partial<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

type Props = {
  layout: Layout
  /** Size of the viewport in pixels. */
  window: { width: number; height: number }
  /** Ranks are laid out from top to bottom. */
  down: boolean
  graph: FoldedGraph
  selected: number | null
  centre: Centre | null
  onSelect: (id: number | null) => void
}

/** The interactive graph: pan and zoom by pointer, navigation by arrow keys. */
export function GraphCanvas({ layout, window, down, graph, selected, centre, onSelect }: Props) {
  const flow = useReactFlow()
  const scene = useMemo(() => sceneOf(layout, graph, down), [layout, graph, down])
  const { edges } = graph
  // the hovered or focused card, and the last one that had the focus
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
  const middleOf = ({ x, y }: { x: number; y: number }) => ({ x: x + NODE.width / 2, y: y + NODE.height / 2 })
  const fitted = getViewportForBounds(whole, window.width, window.height, FARTHEST, NEAREST, 0)
  // A new layout begins with the chosen card, or the whole; in a narrow window with its upper left part, if the whole is too small.
  const [first] = useState(() => {
    const place = centre && layout.places.find(({ id }) => id === centre.id)
    if (!place)
      return down && fitted.zoom < LEGIBLE
        ? { x: MARGIN * LEGIBLE, y: MARGIN * LEGIBLE, zoom: LEGIBLE }
        : fitted
    const zoom = Math.max(fitted.zoom, READABLE)
    const { x, y } = middleOf(place)
    return { x: window.width / 2 - x * zoom, y: window.height / 2 - y * zoom, zoom }
  })
  const area = useRef<HTMLDivElement>(null)
  const focusCard = (id: number) =>
    area.current?.querySelector<HTMLElement>(`[data-type="${id}"]`)?.focus({ preventScroll: true })
  const show = useEffectEvent(({ id }: Centre) => {
    const place = layout.places.find((one) => one.id === id)
    if (!place) return
    const { x, y } = middleOf(place)
    void flow.setCenter(x, y, { zoom: Math.max(flow.getZoom(), READABLE) })
    // The focused card is gone if it was a group that is now unfolded.
    if (document.activeElement === document.body) focusCard(id)
  })
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (centre && isReady) show(centre)
  }, [centre, isReady])
  // disables hover effects while the graph moves
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
    focusCard(next.id)
  }
  // A selected type can be in a folded group.
  const isPlaced = (id: number | null) => layout.places.some((place) => place.id === id)
  const tools = [
    { label: 'Zoom in', icon: IconPlus, act: () => void flow.zoomIn() },
    { label: 'Zoom out', icon: IconMinus, act: () => void flow.zoomOut() },
    { label: 'Fit to window', icon: IconMaximize, act: fit },
  ]
  return (
    <>
      <div className={classes.tools} data-roving>
        {tools.map(({ label, icon: Icon, act }) => (
          <ActionIcon key={label} variant="default" size={30} aria-label={label} title={label} onClick={act}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      </div>
      <ReactFlow
        ref={area}
        onInit={() => setReady(true)}
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
        defaultViewport={first}
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
            entry={[selected, focused].find(isPlaced) ?? layout.places[0]?.id ?? null}
          />
        </ViewportPortal>
      </ReactFlow>
    </>
  )
}
