/** JSON that writes itself where it is wanted, so that megabytes of it are not put together first. */
export type JsonWriter = {
  /** It has no more bytes than that. */
  mostBytes: number
  /** Writes it from `at` on; returns where it ends. */
  write: (to: Buffer, at: number) => number
}

/** JSON that is there already, or is to be written. */
type JsonPart = Uint8Array | JsonWriter

const COMMA = 0x2c

/** The body that is made of these, one behind the other. */
export function jsonBody(parts: readonly (string | JsonPart)[]): Buffer {
  const known = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const body = Buffer.allocUnsafe(known.reduce((sum, part) => sum + mostBytesOf(part), 0))
  let end = 0
  for (const part of known) end = append(body, end, part)
  return body.subarray(0, end)
}

/** The items of a list, which may be tens of thousands, with commas between. */
export const listItems = (parts: readonly JsonPart[]): JsonWriter => ({
  mostBytes: parts.reduce((sum, part) => sum + mostBytesOf(part) + 1, 0),
  write(to, at) {
    let end = at
    for (const part of parts) {
      if (end > at) to[end++] = COMMA
      end = append(to, end, part)
    }
    return end
  },
})

const mostBytesOf = (part: JsonPart) => (part instanceof Uint8Array ? part.length : part.mostBytes)

function append(to: Buffer, at: number, part: JsonPart): number {
  if (!(part instanceof Uint8Array)) return part.write(to, at)
  to.set(part, at)
  return at + part.length
}
