/** JSON that is written directly into the request body, so that megabytes are not assembled first. */
export type JsonWriter = {
  /** Upper limit of its size. */
  mostBytes: number
  /** Writes it at `at`; returns the end position. */
  write: (to: Buffer, at: number) => number
}

/** Serialised JSON, or JSON to be written later. */
type JsonPart = Uint8Array | JsonWriter

const COMMA = 0x2c

/** Concatenates the parts to a request body. */
export function jsonBody(parts: readonly (string | JsonPart)[]): Buffer {
  const known = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const body = Buffer.allocUnsafe(known.reduce((sum, part) => sum + mostBytesOf(part), 0))
  let end = 0
  for (const part of known) end = append(body, end, part)
  return body.subarray(0, end)
}

/** List items, possibly tens of thousands, separated by commas. */
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
