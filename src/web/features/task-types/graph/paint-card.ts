import type { Colours } from './colours.ts'
import { fittedText } from './fitted-text.ts'
import { NODE } from './layout.ts'
import type { Pen } from './pen.ts'
import type { Card } from './scene.ts'

const RADIUS = 9
const LEFT = 17
const RIGHT = 10

type Look = { colours: Colours; font: string; zoom: number; far: boolean; selected: boolean }

/** A card with its category, name and state; from afar its name and its colours. */
export function paintCard(pen: Pen, card: Card, look: Look): void {
  pen.save()
  pen.translate(card.x, card.y)
  paintBox(pen, card, look)
  if (look.far) paintName(pen, card, look)
  else paintWords(pen, card, look)
  pen.restore()
}

// Pixels on the screen; smaller letters tell nothing.
const SMALLEST = 3
const NAME = 20
const isTiny = (zoom: number) => NAME * zoom < SMALLEST

function paintBox(
  pen: Pen,
  { category, tone, is_active }: Card,
  { colours, zoom, far, selected }: Look,
): void {
  const box = (inset: number) => {
    pen.beginPath()
    pen.roundRect(inset, inset, NODE.width - 2 * inset, NODE.height - 2 * inset, RADIUS)
  }
  const tinted = far || tone === 'running' || tone === 'error'
  box(0)
  pen.fillStyle = isTiny(zoom)
    ? colours('tone-dot', { tone })
    : tinted
      ? colours('tone-tint', { tone })
      : colours('card')
  pen.fill()
  const edge = far ? 2 : 1
  box(edge / 2)
  pen.lineWidth = edge
  pen.strokeStyle = colours('line-strong')
  pen.setLineDash(is_active ? [] : [3, 3])
  pen.stroke()
  pen.setLineDash([])
  pen.beginPath()
  pen.roundRect(0, 0, isTiny(zoom) ? 48 : far ? 14 : 5, NODE.height, [RADIUS, 0, 0, RADIUS])
  pen.fillStyle = colours('category', { category })
  pen.fill()
  if (!selected) return
  box(-1)
  pen.lineWidth = far ? 6 : 2
  pen.strokeStyle = colours('accent')
  pen.stroke()
}

function paintName(pen: Pen, { name, is_active }: Card, look: Look): void {
  if (isTiny(look.zoom)) return
  pen.font = `600 ${NAME}px ${look.font}`
  pen.fillStyle = look.colours(is_active ? 'text' : 'muted')
  const lines = fittedText(pen, name, NODE.width - 26 - RIGHT, 2)
  for (const [n, line] of lines.entries())
    pen.fillText(line, 26, NODE.height / 2 + NAME * 0.36 + (n - (lines.length - 1) / 2) * NAME * 1.2)
}

function paintWords(pen: Pen, card: Card, { colours, font }: Look): void {
  const width = NODE.width - LEFT - RIGHT
  const write = (text: string, x: number, y: number, room: number) => {
    for (const line of fittedText(pen, text, room, 1)) pen.fillText(line, x, y)
  }
  pen.font = `600 15px ${font}`
  pen.fillStyle = colours(card.is_active ? 'text' : 'muted')
  write(card.name, LEFT, 46, width)
  pen.font = `13px ${font}`
  pen.fillStyle = colours('category-text', { category: card.category })
  pen.fillText(card.label, LEFT, 22)
  const tone = { tone: card.tone }
  pen.fillStyle = colours('tone-dot', tone)
  pen.beginPath()
  pen.arc(LEFT + 4, 63, 4, 0, 2 * Math.PI)
  pen.fill()
  pen.fillStyle = colours('tone-text', tone)
  write(card.text, LEFT + 14, 67.5, width - 14)
  if (card.dependents > 0) paintCount(pen, card.dependents, { colours, font })
}

function paintCount(pen: Pen, count: number, { colours, font }: Pick<Look, 'colours' | 'font'>) {
  pen.font = `600 13px ${font}`
  const text = String(count)
  const width = Math.max(20, pen.measureText(text).width + 12)
  const right = NODE.width - RIGHT
  pen.fillStyle = colours('accent-tint')
  pen.beginPath()
  pen.roundRect(right - width, 8, width, 20, 10)
  pen.fill()
  pen.fillStyle = colours('accent')
  pen.textAlign = 'center'
  pen.fillText(text, right - width / 2, 22.5)
}
