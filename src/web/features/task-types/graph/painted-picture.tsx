import { useComputedColorScheme } from '@mantine/core'
import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { coloursOf } from './colours.ts'
import classes from './graph-picture.module.css'
import { FAR, paint, type Rect, type Standing } from './paint.ts'
import type { Scene } from './scene.ts'

// Of the window, on each side: so far it is dragged before more must be painted.
const MARGIN = 0.25
// How much larger or smaller than painted it is shown while it is zoomed.
const STRETCH = 1.6
// Milliseconds without a movement until it is painted as sharp as the screen is.
const STILL = 120

/** The part that was painted last, and how large. */
type Painted = { rect: Rect; zoom: number }

/**
 * The picture as one canvas, which moves with the plane that it lies in. It is painted when what it shows changes, when it comes to
 * rest, and while it moves only as often as it must: hundreds of elements would be painted anew for each frame.
 */
export function PaintedPicture({ scene, path, selected }: Standing & { scene: Scene }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const store = useStoreApi()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scheme is other colours
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
      if (!stillServes(painted, view())) painted = paintNow()
      else
        still = setTimeout(() => {
          if (painted.zoom !== view().zoom) painted = paintNow()
        }, STILL)
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

/** Whether what was painted covers what is seen, at about its size and with as much detail. */
function stillServes({ rect, zoom: painted }: Painted, { x, y, zoom, width, height }: Seen): boolean {
  const stretch = zoom / painted
  return (
    stretch < STRETCH &&
    stretch > 1 / STRETCH &&
    zoom < FAR === painted < FAR &&
    -x / zoom >= rect.x &&
    -y / zoom >= rect.y &&
    (width - x) / zoom <= rect.x + rect.width &&
    (height - y) / zoom <= rect.y + rect.height
  )
}
