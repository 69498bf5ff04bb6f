import { useComputedColorScheme } from '@mantine/core'
import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { coloursOf } from './colours.ts'
import classes from './graph-picture.module.css'
import { FAR, type Highlight, paint, type Rect } from './paint.ts'
import type { Scene } from './scene.ts'

// Share of the viewport that is drawn beyond each side, so short drags need no redraw.
const MARGIN = 0.25
// Largest factor by which the drawing is scaled during zooming.
const MAX_STRETCH = 1.6
// Milliseconds without movement until the drawing is redrawn at full resolution.
const SETTLE_MS = 120

/** Rectangle and scale of the last drawing. */
type Painted = { rect: Rect; zoom: number }

/**
 * The graph as one canvas that moves with its container. Redrawn when the content changes, after movements, and during movements only
 * as often as necessary: hundreds of DOM elements would be repainted per frame.
 */
export function PaintedPicture({ scene, path, selected }: Highlight & { scene: Scene }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const store = useStoreApi()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a colour scheme change requires a redraw
  useEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    const colours = coloursOf(canvas)
    const font = getComputedStyle(canvas).fontFamily
    const view = () => {
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      return { zoom, x, y, width, height }
    }
    const paintNow = (): Painted => {
      const { zoom, x, y, width, height } = view()
      const [aside, above] = [Math.ceil(width * MARGIN), Math.ceil(height * MARGIN)]
      const [wide, high] = [Math.ceil(width) + 2 * aside, Math.ceil(height) + 2 * above]
      const rect = { x: (-aside - x) / zoom, y: (-above - y) / zoom, width: wide / zoom, height: high / zoom }
      const dense = window.devicePixelRatio
      canvas.width = wide * dense
      canvas.height = high * dense
      canvas.style.width = `${wide}px`
      canvas.style.height = `${high}px`
      canvas.style.transform = `translate(${rect.x}px, ${rect.y}px) scale(${1 / zoom})`
      context.setTransform(zoom * dense, 0, 0, zoom * dense, -rect.x * zoom * dense, -rect.y * zoom * dense)
      paint(context, scene, { path, selected }, { rect, zoom, colours, font })
      return { rect, zoom }
    }
    let painted = paintNow()
    let still: ReturnType<typeof setTimeout>
    const moved = () => {
      clearTimeout(still)
      if (!covers(painted, view())) painted = paintNow()
      else
        still = setTimeout(() => {
          if (painted.zoom !== view().zoom) painted = paintNow()
        }, SETTLE_MS)
    }
    const unsubscribe = store.subscribe((now, before) => {
      if (now.transform !== before.transform || now.width !== before.width || now.height !== before.height)
        moved()
    })
    return () => {
      clearTimeout(still)
      unsubscribe()
    }
  }, [scene, path, selected, scheme, store])
  return <canvas ref={ref} className={classes.painted} aria-hidden />
}

type Seen = { x: number; y: number; zoom: number; width: number; height: number }

/** Whether the last drawing covers the viewport at about its scale and resolution. */
function covers({ rect, zoom: painted }: Painted, { x, y, zoom, width, height }: Seen): boolean {
  const stretch = zoom / painted
  return (
    stretch < MAX_STRETCH &&
    stretch > 1 / MAX_STRETCH &&
    zoom < FAR === painted < FAR &&
    -x / zoom >= rect.x &&
    -y / zoom >= rect.y &&
    (width - x) / zoom <= rect.x + rect.width &&
    (height - y) / zoom <= rect.y + rect.height
  )
}
