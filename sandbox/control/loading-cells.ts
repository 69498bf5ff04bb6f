import { z } from 'zod'

const Values = z.array(z.array(z.unknown()))
const OneRange = z.looseObject({ values: Values })
const ManyRanges = z.looseObject({ valueRanges: z.array(z.looseObject({ values: Values.optional() })) })

/**
 * Replaces about 5 % of the cells in a values reply, at least the last one, by "Loading...". Undefined if the reply has no cells.
 */
export function withLoadingCells(body: string): string | undefined {
  const json: unknown = JSON.parse(body)
  const one = OneRange.safeParse(json)
  if (one.success) {
    markLoading(one.data.values)
    return JSON.stringify(one.data)
  }
  const many = ManyRanges.safeParse(json)
  if (!many.success) return undefined
  const filled = many.data.valueRanges.flatMap((range) => (range.values === undefined ? [] : [range.values]))
  for (const values of filled) markLoading(values)
  return filled.length === 0 ? undefined : JSON.stringify(many.data)
}

function markLoading(values: unknown[][]): void {
  let seen = 0
  for (const row of values) {
    for (let column = 0; column < row.length; column += 1) {
      seen += 1
      if (seen % 20 === 0) row[column] = 'Loading...'
    }
  }
  const last = values.at(-1)
  if (seen < 20 && last !== undefined && last.length > 0) last[last.length - 1] = 'Loading...'
}
