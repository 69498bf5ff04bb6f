import { Readable } from 'node:stream'
import { isJson } from './sheets/model/json.ts'

/** Part of a message that is already JSON, or that is generated while the message is sent. */
export class JsonText {
  readonly pieces: Iterable<Buffer>

  constructor(pieces: Iterable<Buffer>) {
    this.pieces = pieces
  }
}

/** Original bytes of parsed bodies without line breaks. */
const bodies = new WeakMap<object, Buffer>()

const NEWLINE = 0x0a

/** Prefetched chunks per reply: enough to keep the socket busy, few enough to leave time for other requests. */
const PIECES_AHEAD = 2

/** Parses a request body. Throws SyntaxError. */
export function parseBody(body: Buffer): unknown {
  const json: unknown = JSON.parse(body.toString())
  if (typeof json === 'object' && json !== null && !body.includes(NEWLINE)) bodies.set(json, body)
  return json
}

/** Serializes a message as one line, followed by `end`. Raw JSON and unchanged request bodies are copied without serialization. */
export function jsonBytes(message: unknown, end = ''): Buffer {
  return Buffer.concat([...bytesOf(partsOf(message)), Buffer.from(end)])
}

/** Serializes a reply body. Returns a stream if parts are generated lazily. */
export function jsonBody(message: unknown): Buffer | Readable {
  const parts = partsOf(message)
  const isAtHand = parts.every((part) => !(part instanceof JsonText) || Array.isArray(part.pieces))
  if (isAtHand) return Buffer.concat([...bytesOf(parts)])
  return Readable.from(bytesOf(parts), { highWaterMark: PIECES_AHEAD })
}

type Part = string | Buffer | JsonText

function partsOf(message: unknown): Part[] {
  const parts: Part[] = []
  write(message, parts)
  return parts
}

function* bytesOf(parts: readonly Part[]): Generator<Buffer> {
  for (const part of parts) {
    if (part instanceof JsonText) yield* part.pieces
    else yield typeof part === 'string' ? Buffer.from(part) : part
  }
}

function write(part: unknown, pieces: Part[]): void {
  const body = typeof part === 'object' && part !== null ? bodies.get(part) : undefined
  if (body) pieces.push(body)
  else if (part instanceof JsonText) pieces.push(part)
  else if (Array.isArray(part) && isJson(part[0])) {
    for (const [index, item] of part.entries()) {
      pieces.push(index === 0 ? '[' : ',')
      write(item, pieces)
    }
    pieces.push(']')
  } else if (isJson(part)) {
    let before = '{'
    for (const [name, value] of Object.entries(part)) {
      if (value === undefined) continue
      pieces.push(`${before}${JSON.stringify(name)}:`)
      write(value, pieces)
      before = ','
    }
    pieces.push(before === '{' ? '{}' : '}')
  } else pieces.push(JSON.stringify(part))
}
