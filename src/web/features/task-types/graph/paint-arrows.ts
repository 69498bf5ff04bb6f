import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import type { Ctx } from './canvas-context.ts'
import type { Colours } from './colours.ts'
import type { Path } from './paths.ts'
import type { Arrow, Scene } from './scene.ts'

const HEAD = 9
const DASHES = [6, 5]
const FONT = '600 11px'

type Style = { colours: Colours; font: string; far: boolean }

/** Draws all edges, with those of the highlighted path on top; conditions are drawn on the edges of its own type. */
export function paintArrows(
  ctx: Ctx,
  { arrows, down }: Scene,
  path: Path | null,
  { colours, font, far }: Style,
): void {
  const paint = (some: readonly Arrow[], colour: string, width: number) => {
    ctx.strokeStyle = ctx.fillStyle = colour
    ctx.lineWidth = width
    for (const arrow of some) paintArrow(ctx, arrow, down)
  }
  ctx.globalAlpha = path ? 0.25 : 1
  paint(arrows, colours('arrow'), far ? 3 : 1.6)
  ctx.globalAlpha = 1
  if (!path) return
  const lit = arrows.filter(({ edge }) => path.edges.has(edge))
  paint(lit, colours('accent'), far ? 3 : 2.4)
  if (far) return
  ctx.font = `${FONT} ${font}`
  ctx.textAlign = 'center'
  ctx.lineWidth = 4
  ctx.strokeStyle = colours('page')
  ctx.fillStyle = colours('text')
  for (const { points, condition, edge } of lit) {
    const [first, second] = points
    if (!first || !second || (edge.from !== path.id && edge.to !== path.id)) continue
    const at = [(first.x + second.x) / 2, (first.y + second.y) / 2 - 5] as const
    ctx.strokeText(graphMessages.condition_word[condition], ...at)
    ctx.fillText(graphMessages.condition_word[condition], ...at)
  }
}

/** A smooth curve through the points, parallel to the ranks' direction at both ends. */
function paintArrow(ctx: Ctx, { points, condition }: Arrow, down: boolean): void {
  const [start, ...rest] = points
  if (!start) return
  let [at, before] = [start, start]
  ctx.beginPath()
  ctx.moveTo(at.x, at.y)
  for (const point of rest) {
    const [x, y] = [(at.x + point.x) / 2, (at.y + point.y) / 2]
    if (down) ctx.bezierCurveTo(at.x, y, point.x, y, point.x, point.y)
    else ctx.bezierCurveTo(x, at.y, x, point.y, point.x, point.y)
    before = at
    at = point
  }
  ctx.setLineDash(condition === 'completion' ? DASHES : [])
  ctx.stroke()
  const back = -HEAD * Math.sign(down ? at.y - before.y : at.x - before.x)
  const corner = (aside: number) => (down ? ([aside, back] as const) : ([back, aside] as const))
  ctx.beginPath()
  ctx.moveTo(at.x, at.y)
  for (const [x, y] of [corner(HEAD / 2), corner(-HEAD / 2)]) ctx.lineTo(at.x + x, at.y + y)
  ctx.fill()
}
