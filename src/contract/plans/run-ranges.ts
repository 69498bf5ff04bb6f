import { limits } from '../limits.ts'

/** Ids as a short text of numbers and ranges, such as "5-9,12": runs that are queued together have ids in a row. */
export function writeRanges(ids: readonly number[]): string {
  const sorted = [...new Set(ids)].sort((one, other) => one - other)
  const ranges: { from: number; to: number }[] = []
  for (const id of sorted) {
    const last = ranges.at(-1)
    if (last && id === last.to + 1) last.to = id
    else ranges.push({ from: id, to: id })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Ids of such a text, ascending; null if it has another form, or more ids than previews are started at once. */
export function readRanges(text: string): number[] | null {
  const ids = new Set<number>()
  for (const part of text.split(',')) {
    const [first = '', last = first, ...rest] = part.split('-')
    if (rest.length > 0 || !isId(first) || !isId(last)) return null
    const [from, to] = [Number(first), Number(last)]
    if (to < from || to - from >= limits.previews_max) return null
    for (let id = from; id <= to; id += 1) ids.add(id)
    if (ids.size > limits.previews_max) return null
  }
  return [...ids].sort((one, other) => one - other)
}

const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text)
