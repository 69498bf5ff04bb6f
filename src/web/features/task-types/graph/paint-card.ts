import type { Ctx } from './canvas-context.ts'
import type { Colours } from './colours.ts'
import { fittedText } from './fitted-text.ts'
import { NODE } from './layout.ts'
import type { Card } from './scene.ts'

const RADIUS = 9
const LEFT = 17
const RIGHT = 10

type Style = { colours: Colours; font: string; zoom: number; far: boolean; selected: boolean }

/** A card with category, name and state; when zoomed out, only name and colours. */
export function paintCard(ctx: Ctx, card: Card, style: Style): void {
  ctx.save()
  ctx.translate(card.x, card.y)
  paintBox(ctx, card, style)
  if (style.far) paintName(ctx, card, style)
  else paintLabels(ctx, card, style)
  ctx.restore()
}

// in screen pixels; smaller text is unreadable
const MIN_TEXT_PIXELS = 3
const NAME = 20
const isTiny = (zoom: number) => NAME * zoom < MIN_TEXT_PIXELS

function paintBox(
  ctx: Ctx,
  { category, tone, is_active, is_group }: Card,
  { colours, zoom, far, selected }: Style,
): void {
  const box = (inset: number) => {
    ctx.beginPath()
    ctx.roundRect(inset, inset, NODE.width - 2 * inset, NODE.height - 2 * inset, RADIUS)
  }
  if (is_group) {
    // The cards behind the first one.
    ctx.fillStyle = colours('card')
    ctx.strokeStyle = colours('line-strong')
    ctx.lineWidth = 1
    for (const offset of [8, 4]) {
      ctx.beginPath()
      ctx.roundRect(offset, offset, NODE.width, NODE.height, RADIUS)
      ctx.fill()
      ctx.stroke()
    }
  }
  const tinted = far || tone === 'running' || tone === 'error'
  box(0)
  ctx.fillStyle = isTiny(zoom)
    ? colours('tone-dot', { tone })
    : tinted
      ? colours('tone-tint', { tone })
      : colours('card')
  ctx.fill()
  const edge = far ? 2 : 1
  box(edge / 2)
  ctx.lineWidth = edge
  ctx.strokeStyle = colours('line-strong')
  ctx.setLineDash(is_active ? [] : [3, 3])
  ctx.stroke()
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.roundRect(0, 0, isTiny(zoom) ? 48 : far ? 14 : 5, NODE.height, [RADIUS, 0, 0, RADIUS])
  ctx.fillStyle = colours('category', { category })
  ctx.fill()
  if (!selected) return
  box(-1)
  ctx.lineWidth = far ? 6 : 2
  ctx.strokeStyle = colours('accent')
  ctx.stroke()
}

function paintName(ctx: Ctx, { name, is_active, is_group }: Card, style: Style): void {
  if (isTiny(style.zoom)) return
  ctx.font = `600 ${NAME}px ${style.font}`
  ctx.fillStyle = style.colours(is_active ? 'text' : 'muted')
  const lines = fittedText(ctx, name, NODE.width - 26 - RIGHT, is_group ? 3 : 2)
  for (const [n, line] of lines.entries())
    ctx.fillText(line, 26, NODE.height / 2 + NAME * 0.36 + (n - (lines.length - 1) / 2) * NAME * 1.2)
}

function paintLabels(ctx: Ctx, card: Card, { colours, font }: Style): void {
  const width = NODE.width - LEFT - RIGHT
  const write = (text: string, x: number, y: number, room: number, most = 1) => {
    for (const [n, line] of fittedText(ctx, text, room, most).entries()) ctx.fillText(line, x, y + 17 * n)
  }
  // The name of a group takes two lines.
  const up = card.is_group ? 3 : 0
  ctx.font = `600 15px ${font}`
  ctx.fillStyle = colours(card.is_active ? 'text' : 'muted')
  write(card.name, LEFT, 46 - 3 * up, width, card.is_group ? 2 : 1)
  ctx.font = `13px ${font}`
  ctx.fillStyle = colours('category-text', { category: card.category })
  ctx.fillText(card.label, LEFT, 22 - up)
  const tone = { tone: card.tone }
  ctx.fillStyle = colours('tone-dot', tone)
  ctx.beginPath()
  ctx.arc(LEFT + 4, 63 + up, 4, 0, 2 * Math.PI)
  ctx.fill()
  ctx.fillStyle = colours('tone-text', tone)
  write(card.text, LEFT + 14, 67.5 + up, width - 14)
  if (card.dependents > 0) paintCount(ctx, card.dependents, { colours, font })
}

function paintCount(ctx: Ctx, count: number, { colours, font }: Pick<Style, 'colours' | 'font'>) {
  ctx.font = `600 13px ${font}`
  const text = String(count)
  const width = Math.max(20, ctx.measureText(text).width + 12)
  const right = NODE.width - RIGHT
  ctx.fillStyle = colours('accent-tint')
  ctx.beginPath()
  ctx.roundRect(right - width, 8, width, 20, 10)
  ctx.fill()
  ctx.fillStyle = colours('accent')
  ctx.textAlign = 'center'
  ctx.fillText(text, right - width / 2, 22.5)
}
