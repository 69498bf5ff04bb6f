import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'
import type { Colours } from './colours.ts'
import type { Path } from './paths.ts'
import type { Pen } from './pen.ts'
import type { Arrow, Scene } from './scene.ts'

const HEAD = 9
const DASHES = [6, 5]
const FONT = '600 11px'

type Look = { colours: Colours; font: string; far: boolean }

/** All arrows; those of the lit path stand out, with the conditions of those that begin or end at its type. */
export function paintArrows(
  pen: Pen,
  { arrows, down }: Scene,
  path: Path | null,
  { colours, font, far }: Look,
): void {
  const paint = (some: readonly Arrow[], colour: string, width: number) => {
    pen.strokeStyle = pen.fillStyle = colour
    pen.lineWidth = width
    for (const arrow of some) paintArrow(pen, arrow, down)
  }
  pen.globalAlpha = path ? 0.25 : 1
  paint(arrows, colours('arrow'), far ? 3 : 1.6)
  pen.globalAlpha = 1
  if (!path) return
  const lit = arrows.filter(({ edge }) => path.edges.has(edge))
  paint(lit, colours('accent'), far ? 3 : 2.4)
  if (far) return
  pen.font = `${FONT} ${font}`
  pen.textAlign = 'center'
  pen.lineWidth = 4
  pen.strokeStyle = colours('page')
  pen.fillStyle = colours('text')
  for (const { points, condition, edge } of lit) {
    const [first, second] = points
    if (!first || !second || (edge.from !== path.id && edge.to !== path.id)) continue
    const at = [(first.x + second.x) / 2, (first.y + second.y) / 2 - 5] as const
    pen.strokeText(graphMessages.condition_word[condition], ...at)
    pen.fillText(graphMessages.condition_word[condition], ...at)
  }
}

/** A smooth way through its points that leaves and enters along the ranks. */
function paintArrow(pen: Pen, { points, condition }: Arrow, down: boolean): void {
  const [start, ...rest] = points
  if (!start) return
  let [at, before] = [start, start]
  pen.beginPath()
  pen.moveTo(at.x, at.y)
  for (const point of rest) {
    const [x, y] = [(at.x + point.x) / 2, (at.y + point.y) / 2]
    if (down) pen.bezierCurveTo(at.x, y, point.x, y, point.x, point.y)
    else pen.bezierCurveTo(x, at.y, x, point.y, point.x, point.y)
    before = at
    at = point
  }
  pen.setLineDash(condition === 'completion' ? DASHES : [])
  pen.stroke()
  const back = -HEAD * Math.sign(down ? at.y - before.y : at.x - before.x)
  const corner = (aside: number) => (down ? ([aside, back] as const) : ([back, aside] as const))
  pen.beginPath()
  pen.moveTo(at.x, at.y)
  for (const [x, y] of [corner(HEAD / 2), corner(-HEAD / 2)]) pen.lineTo(at.x + x, at.y + y)
  pen.fill()
}
