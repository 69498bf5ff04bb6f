import { DriveError } from '../error-reply.ts'

type Mask = Map<string, Mask>

const all: Mask = new Map()

/** What a `fields` parameter such as `nextPageToken,files(id,owners/emailAddress)` leaves of a reply. */
export function masked(reply: object, fields: string): unknown {
  return pick(reply, parseMask(fields))
}

function pick(value: unknown, mask: Mask): unknown {
  if (mask.size === 0 || mask.has('*')) return value
  if (Array.isArray(value)) return value.map((item) => pick(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const under = mask.get(key)
      return under === undefined ? [] : [[key, pick(inner, under)]]
    }),
  )
}

function parseMask(fields: string): Mask {
  const tokens = fields.match(/[\w*]+|[(),/.]/g) ?? []
  if (tokens.join('') !== fields.replace(/\s/g, '') || tokens.length === 0) throw invalidSelection(fields)
  let next = 0

  const list = (): Mask => {
    const mask: Mask = new Map()
    for (;;) {
      const name = tokens[next] ?? ''
      if (!/^[\w*]+$/.test(name)) throw invalidSelection(fields)
      next += 1
      const earlier = mask.get(name)
      const under = below()
      // `a,a/b` asks for all of a.
      mask.set(name, earlier === undefined ? under : merge(earlier, under))
      if (tokens[next] !== ',') return mask
      next += 1
    }
  }

  const below = (): Mask => {
    const token = tokens[next]
    if (token === '/' || token === '.') {
      const name = tokens[next + 1] ?? ''
      if (!/^[\w*]+$/.test(name)) throw invalidSelection(fields)
      next += 2
      return new Map([[name, below()]])
    }
    if (token !== '(') return all
    next += 1
    const mask = list()
    if (tokens[next] !== ')') throw invalidSelection(fields)
    next += 1
    return mask
  }

  const mask = list()
  if (next < tokens.length) throw invalidSelection(fields)
  return mask
}

function merge(a: Mask, b: Mask): Mask {
  if (a.size === 0 || b.size === 0) return all
  const merged = new Map(a)
  for (const [name, under] of b) {
    const earlier = merged.get(name)
    merged.set(name, earlier === undefined ? under : merge(earlier, under))
  }
  return merged
}

function invalidSelection(fields: string): DriveError {
  return new DriveError(
    400,
    'INVALID_ARGUMENT',
    `Invalid field selection ${fields}`,
    'invalidParameter',
    'fields',
  )
}
