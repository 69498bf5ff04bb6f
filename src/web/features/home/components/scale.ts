const STEPS = [1, 2, 5]
const LINES = 4

/** Axis for counts from 0 to `max`: its maximum, and at most four grid lines at round numbers above 0. */
export function scaleOf(max: number): { top: number; lines: number[] } {
  const step = stepFor(max / LINES)
  const count = Math.max(1, Math.ceil(max / step))
  return { top: count * step, lines: Array.from({ length: count }, (_, n) => (n + 1) * step) }
}

function stepFor(min: number): number {
  for (let ten = 1; ; ten *= 10) {
    const step = STEPS.find((one) => one * ten >= min)
    if (step !== undefined) return step * ten
  }
}
