import type { Ctx } from './canvas-context.ts'

type Measure = Pick<Ctx, 'measureText'>

const ELLIPSIS = '…'

/** Number of leading characters that fit into `width` pixels. */
function fitting(ctx: Measure, text: string, width: number): number {
  let [fits, fitsNot] = [0, text.length + 1]
  while (fitsNot - fits > 1) {
    const count = Math.floor((fits + fitsNot) / 2)
    if (ctx.measureText(text.slice(0, count)).width <= width) fits = count
    else fitsNot = count
  }
  return fits
}

/** Wraps a text at spaces into at most `lines` lines, and truncates it with an ellipsis. */
export function fittedText(ctx: Measure, text: string, width: number, lines: number): string[] {
  const count = fitting(ctx, text, width)
  if (count === text.length) return [text]
  if (lines === 1) {
    const room = width - ctx.measureText(ELLIPSIS).width
    return [`${text.slice(0, fitting(ctx, text, room)).trimEnd()}${ELLIPSIS}`]
  }
  const space = text.lastIndexOf(' ', count)
  const end = space > 0 ? space : Math.max(1, count)
  return [text.slice(0, end), ...fittedText(ctx, text.slice(end).trimStart(), width, lines - 1)]
}
