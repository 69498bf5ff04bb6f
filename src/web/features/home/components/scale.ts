const STEPS = [1, 2, 5]
const LINES = 4

/** A scale for counts from 0 to `most`: its top, and at most four lines at round numbers above 0. */
export function scaleOf(most: number): { top: number; lines: number[] } {
  const step = stepFor(most / LINES)
  const count = Math.max(1, Math.ceil(most / step))
  return { top: count * step, lines: Array.from({ length: count }, (_, n) => (n + 1) * step) }
}

function stepFor(least: number): number {
  for (let ten = 1; ; ten *= 10) {
    const step = STEPS.find((one) => one * ten >= least)
    if (step !== undefined) return step * ten
  }
}
