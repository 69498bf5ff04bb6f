import { appendFileSync } from 'node:fs'
import { z } from 'zod'

/** A measured value. `limit` is its maximum, `floor` its minimum; without either it is for information only. */
const Figure = z.object({
  what: z.string(),
  value: z.number(),
  limit: z.optional(z.number()),
  floor: z.optional(z.number()),
})
export type Figure = z.infer<typeof Figure>

const FILE = 'BENCH_FIGURES'

export const isMissed = ({ value, limit, floor }: Figure) =>
  value > (limit ?? value) || value < (floor ?? value)

export const boundOf = ({ limit, floor }: Figure) =>
  limit !== undefined ? `at most ${limit}` : floor !== undefined ? `at least ${floor}` : ''

export const valueText = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : 0)

/** Prints a figure and its aim, and reports it to `bench/run-all.ts` if that started the benchmark. */
export function report(figure: Figure): void {
  const bound = boundOf(figure)
  console.log(
    `  ${figure.what}: ${valueText(figure.value)}${bound && ` (${bound})`}${isMissed(figure) ? ' MISSED' : ''}`,
  )
  const file = process.env[FILE]
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

/** Environment that makes benchmarks write their figures to `file`. */
export const figuresTo = (file: string) => ({ [FILE]: file })
export const parseFigures = (lines: string): Figure[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => Figure.parse(JSON.parse(line)))
