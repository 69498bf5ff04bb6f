import type { Ctx } from './canvas-context.ts'
import type { Colours } from './colours.ts'
import { NODE, type Point } from './layout.ts'
import { paintArrows } from './paint-arrows.ts'
import { paintCard } from './paint-card.ts'
import type { Path } from './paths.ts'
import type { Scene } from './scene.ts'
import { categoryLabels } from './type-labels.ts'

/** Below this scale, a card shows only its name. */
export const FAR = 0.65

/** A rectangle in scene coordinates. */
export type Rect = Point & { width: number; height: number }

/** What is highlighted. */
export type Highlight = { path: Path | null; selected: number | null }

type View = { rect: Rect; zoom: number; colours: Colours; font: string }

/** Draws the part of the scene in the rectangle; the context's transform maps scene coordinates. */
export function paint(
  ctx: Ctx,
  scene: Scene,
  { path, selected }: Highlight,
  { rect, zoom, colours, font }: View,
): void {
  const far = zoom < FAR
  paintLanes(ctx, scene, { colours, font, far })
  paintArrows(ctx, scene, path, { colours, font, far })
  ctx.textAlign = 'left'
  for (const card of scene.cards) {
    if (!meets(rect, card)) continue
    ctx.globalAlpha = path && !path.nodes.has(card.id) ? 0.28 : 1
    paintCard(ctx, card, { colours, font, zoom, far, selected: card.id === selected })
  }
}

const meets = (rect: Rect, { x, y }: Point) =>
  x < rect.x + rect.width && x + NODE.width > rect.x && y < rect.y + rect.height && y + NODE.height > rect.y

function paintLanes(
  ctx: Ctx,
  { lanes, down }: Scene,
  { colours, font, far }: Pick<View, 'colours' | 'font'> & { far: boolean },
): void {
  const size = far ? 24 : 13
  ctx.font = `650 ${size}px ${font}`
  for (const { task_category: category, x, y, width, height } of lanes) {
    ctx.fillStyle = ctx.strokeStyle = colours('category', { category })
    ctx.lineWidth = 1
    ctx.beginPath()
    ctx.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 14)
    ctx.globalAlpha = 0.06
    ctx.fill()
    ctx.globalAlpha = 0.3
    ctx.stroke()
    ctx.globalAlpha = 1
    ctx.save()
    ctx.translate(x, y)
    // in a vertical layout the heading of a lane is rotated
    if (down) ctx.rotate(Math.PI / 2)
    ctx.fillStyle = colours('category-text', { category })
    ctx.fillText(
      categoryLabels[category].label,
      12,
      (down ? -1 : 1) * (7 + 13 / 2) + size * 0.5 - (down ? size * 0.15 : 0),
    )
    ctx.restore()
  }
}
