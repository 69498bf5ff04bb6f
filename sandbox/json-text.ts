import { isJson } from './sheets/model/json.ts'

/** Part of a message whose JSON is there already. */
export class JsonText {
  readonly pieces: readonly Buffer[]

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces
  }
}

/** The bytes that parsed bodies came in, where those are one line. */
const bodies = new WeakMap<object, Buffer>()

const NEWLINE = 0x0a

/** Parses the body of a request. Throws SyntaxError. */
export function parseBody(body: Buffer): unknown {
  const json: unknown = JSON.parse(body.toString())
  if (typeof json === 'object' && json !== null && !body.includes(NEWLINE)) bodies.set(json, body)
  return json
}

/**
 * The JSON of a message, in one line, and what it ends with. What is there already is not written again: texts, and bodies of requests,
 * which stand as they came.
 */
export function jsonBytes(message: unknown, end = ''): Buffer {
  const pieces: (string | Buffer)[] = []
  write(message, pieces)
  pieces.push(end)
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function write(part: unknown, pieces: (string | Buffer)[]): void {
  const body = typeof part === 'object' && part !== null ? bodies.get(part) : undefined
  if (body) pieces.push(body)
  else if (part instanceof JsonText) pieces.push(...part.pieces)
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
