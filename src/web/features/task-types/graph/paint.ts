import type { Colours } from './colours.ts'
import { NODE, type Point } from './layout.ts'
import { paintArrows } from './paint-arrows.ts'
import { paintCard } from './paint-card.ts'
import type { Path } from './paths.ts'
import type { Pen } from './pen.ts'
import type { Scene } from './scene.ts'
import { categoryWords } from './type-words.ts'

/** Below it, cards are too small for more than a name. */
export const FAR = 0.5

/** A part of the plane that the picture lies in. */
export type Rect = Point & { width: number; height: number }

/** What stands out. */
export type Standing = { path: Path | null; selected: number | null }

type View = { rect: Rect; zoom: number; colours: Colours; font: string }

/** Paints what lies within the rectangle; the pen is scaled and moved to the scene's own pixels. */
export function paint(
  pen: Pen,
  scene: Scene,
  { path, selected }: Standing,
  { rect, zoom, colours, font }: View,
): void {
  const far = zoom < FAR
  paintLanes(pen, scene, { colours, font, far })
  paintArrows(pen, scene, path, { colours, font, far })
  pen.textAlign = 'left'
  for (const card of scene.cards) {
    if (!meets(rect, card)) continue
    pen.globalAlpha = path && !path.nodes.has(card.id) ? 0.28 : 1
    paintCard(pen, card, { colours, font, zoom, far, selected: card.id === selected })
  }
}

const meets = (rect: Rect, { x, y }: Point) =>
  x < rect.x + rect.width && x + NODE.width > rect.x && y < rect.y + rect.height && y + NODE.height > rect.y

function paintLanes(
  pen: Pen,
  { lanes, down }: Scene,
  { colours, font, far }: Pick<View, 'colours' | 'font'> & { far: boolean },
): void {
  const size = far ? 24 : 13
  pen.font = `650 ${size}px ${font}`
  for (const { task_category: category, x, y, width, height } of lanes) {
    pen.fillStyle = pen.strokeStyle = colours('category', { category })
    pen.lineWidth = 1
    pen.beginPath()
    pen.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 14)
    pen.globalAlpha = 0.06
    pen.fill()
    pen.globalAlpha = 0.3
    pen.stroke()
    pen.globalAlpha = 1
    pen.save()
    pen.translate(x, y)
    // From top to bottom, as the lane's head is a column then.
    if (down) pen.rotate(Math.PI / 2)
    pen.fillStyle = colours('category-text', { category })
    pen.fillText(
      categoryWords[category].label,
      12,
      (down ? -1 : 1) * (7 + 13 / 2) + size * 0.5 - (down ? size * 0.15 : 0),
    )
    pen.restore()
  }
}
